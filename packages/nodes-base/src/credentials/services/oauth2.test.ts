import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { fakePorts, jsonResponse } from '../../testing/credential-ports.ts';
import { connectedData, oAuth2Samples } from '../../testing/oauth2-samples.ts';
import { signed } from '../../testing/signed.ts';
import { createCredentialTypeRegistry } from '../credential-type-registry.ts';

const signal = new AbortController().signal;
const registry = createCredentialTypeRegistry();
const request = { redirectUri: 'https://sluice.example/oauth2/callback', state: 's1' };

function typeOf(name: string) {
  const type = registry.find(name);
  if (!type) throw new Error(`no credential type ${name}`);
  return type;
}

function begin(name: string, data: JsonObject) {
  const begun = typeOf(name).consent?.begin(data, request, fakePorts());
  return { consentState: begun?.consentState ?? {}, url: new URL(begun?.url ?? 'about:blank') };
}

/** The ID and secret of the client, as the token request sends them. */
function clientOf({ headers = {}, body }: ReturnType<typeof fakePorts>['requests'][number]) {
  const form = new URLSearchParams(String(body));
  return [headers['authorization'] ?? null, form.get('client_id'), form.get('client_secret')];
}

const clients = { header: [`Basic ${btoa('id:s-c')}`, null, null], body: [null, 'id', 's-c'] };

describe.each(oAuth2Samples.map((sample) => [sample.type, sample] as const))('%s', (name, sample) => {
  const data = connectedData(sample);
  const type = typeOf(name);

  test('redirects the user to the service, regardless of URLs in the data', () => {
    const own = sample.data ?? {};
    const others = { authUrl: 'https://thief.example', accessTokenUrl: 'https://thief.example' };
    const isFixed = !type.properties.some((property) => property.name === 'authUrl');
    const { url } = begin(name, { ...(isFixed && others), ...data, ...own });
    expect(`${url.origin}${url.pathname}`).toBe(sample.authorize);
    const standard = [
      'response_type',
      'client_id',
      'redirect_uri',
      'state',
      'scope',
      'code_challenge',
      'code_challenge_method',
    ];
    const more = [...url.searchParams].filter(([parameter]) => !standard.includes(parameter));
    expect(Object.fromEntries(more)).toEqual(sample.query ?? {});
    expect(url.searchParams.has('code_challenge')).toBe(sample.pkce === true);
  });

  test('exchanges the code and renews the token with the client authentication that the service expects', async () => {
    const ports = fakePorts({ answer: () => jsonResponse({ access_token: 'new', refresh_token: 'r2' }) });
    const { consentState } = begin(name, data);
    const connected = await type.consent?.complete(data, { code: 'c', consentState }, ports, signal);
    expect(connected).toEqual({ ...data, oauthTokenData: { access_token: 'new', refresh_token: 'r2' } });
    const renewed = await type.renewal?.renew(connectedData(sample, { refresh_token: 'r' }), ports, signal);
    expect(renewed).toEqual({ ...data, oauthTokenData: { access_token: 'new', refresh_token: 'r2' } });
    expect(ports.requests.map(({ url }) => url)).toEqual([sample.token, sample.token]);
    for (const sent of ports.requests) expect(clientOf(sent)).toEqual(clients[sample.client]);
  });

  test('renews a token that expires', () => {
    const expired = { access_token: 's-t', refresh_token: 'r', expiresAt: 5 };
    expect(type.renewal?.isDue(connectedData(sample, expired), 6)).toBe(true);
    expect(type.renewal?.isDue(data, 6)).toBe(false);
  });

  test('is tested with its token', async () => {
    const ports = fakePorts();
    expect(await type.test?.(data, ports, signal)).toMatchObject({ status: 'OK' });
    expect(ports.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
      sample.expectedRequest ? [sample.expectedRequest] : [],
    );
    const unconnected = await type.test?.({ ...data, oauthTokenData: {} }, ports, signal);
    expect(unconnected).toEqual({ status: 'Error', message: expect.stringContaining('not connected yet') });
    const expired = connectedData(sample, { access_token: 's-t', expiresAt: 5 });
    expect(await type.test?.(expired, ports, signal)).toEqual({ status: 'Error', message: 'the access token has expired' });
  });

  test('adds its token to requests', async () => {
    if (name === 'hubspotDeveloperApi') return;
    const { headers } = await signed(type, { method: 'GET', url: 'https://a.example/' }, data, fakePorts());
    expect(Object.entries(headers ?? {})).toEqual([sample.header ?? ['authorization', 'Bearer s-t']]);
  });

  test('allows its token endpoint', () => {
    const hosts = typeof type.hosts === 'function' ? type.hosts(data) : type.hosts;
    expect(hosts).toContain(`${new URL(sample.token).hostname}:443`);
  });
});

describe('scopes', () => {
  const scopeOf = (name: string, data: JsonObject) => begin(name, { clientId: 'id', ...data }).url.searchParams.get('scope');

  test.each<[string, JsonObject, string]>([
    ['googleTasksOAuth2Api', {}, 'https://www.googleapis.com/auth/tasks'],
    ['gmailOAuth2', {}, 'https://mail.google.com/ https://www.googleapis.com/auth/gmail.labels'],
    ['googleTasksOAuth2Api', { customScopes: true, enabledScopes: 'a b' }, 'a b'],
    ['googleTasksOAuth2Api', { customScopes: false, enabledScopes: 'a b' }, 'https://www.googleapis.com/auth/tasks'],
    ['googleOAuth2Api', { scope: 'a' }, 'a'],
    ['microsoftExcelOAuth2Api', {}, 'openid offline_access Files.ReadWrite'],
    ['microsoftSharePointOAuth2Api', { subdomain: 'acme' }, 'openid offline_access https://acme.sharepoint.com/.default'],
    ['linkedInOAuth2Api', {}, 'openid profile email w_member_social w_organization_social'],
    ['linkedInOAuth2Api', { legacy: true, organizationSupport: false }, 'r_liteprofile r_emailaddress w_member_social'],
  ])('of %s with %j', (name, data, scope) => {
    expect(scopeOf(name, data)?.slice(0, scope.length)).toBe(scope);
  });

  test('for Slack are the user scopes only', () => {
    expect(scopeOf('slackOAuth2Api', {})).toBeNull();
  });
});

describe('URLs in the credential', () => {
  const tenant = 'https://login.microsoftonline.com/acme/oauth2/v2.0';

  test('for Microsoft contain the tenant and the national cloud', () => {
    const data = { authUrl: `${tenant}/authorize`, accessTokenUrl: `${tenant}/token`, clientId: 'id' };
    expect(begin('microsoftOAuth2Api', data).url.pathname).toBe('/acme/oauth2/v2.0/authorize');
    const hosts = typeOf('microsoftOAuth2Api').hosts;
    const china = { ...data, graphApiBaseUrl: 'https://microsoftgraph.chinacloudapi.cn' };
    expect(typeof hosts === 'function' && hosts(china)).toEqual([
      'microsoftgraph.chinacloudapi.cn:443',
      'login.microsoftonline.com:443',
    ]);
  });

  test.each([
    ['https://git.example/api/v3', 'https://git.example/login/oauth/authorize', ['git.example:443', 'git.example:443']],
    ['https://github.com', 'https://github.com/login/oauth/authorize', ['api.github.com']],
  ])('of GitHub are at the server %s', (server, address, expected) => {
    const { origin, pathname } = begin('githubOAuth2Api', { server, clientId: 'id' }).url;
    expect(`${origin}${pathname}`).toBe(address);
    const { hosts } = typeOf('githubOAuth2Api');
    expect(typeof hosts === 'function' && hosts({ server })).toEqual(expect.arrayContaining(expected));
  });
});

describe('tokens', () => {
  test('for Slack are the user’s tokens, in a response and in imported data', async () => {
    const user = { access_token: 'xoxp', refresh_token: 'r', id: 'U1' };
    const data = { clientId: 'id', clientSecret: 's' };
    const ports = fakePorts({ answer: () => jsonResponse({ ok: true, authed_user: user }) });
    const { consentState } = begin('slackOAuth2Api', data);
    const connected = await typeOf('slackOAuth2Api').consent?.complete(data, { code: 'c', consentState }, ports, signal);
    expect(connected?.['oauthTokenData']).toEqual({ ok: true, ...user });
    const imported = { ...data, oauthTokenData: { access_token: 'xoxb', authed_user: { access_token: 'xoxp' } } };
    const { headers } = await signed(typeOf('slackOAuth2Api'), { method: 'GET', url: 'https://slack.com/' }, imported, ports);
    expect(headers).toEqual({ authorization: 'Bearer xoxp' });
  });

  test('missing in Slack’s response are refused with its error', async () => {
    const data = { clientId: 'id', clientSecret: 's' };
    const ports = fakePorts({ answer: () => jsonResponse({ ok: false, error: 'invalid_code' }) });
    const { consentState } = begin('slackOAuth2Api', data);
    const completed = typeOf('slackOAuth2Api').consent?.complete(data, { code: 'c', consentState }, ports, signal);
    await expect(completed).rejects.toMatchObject({
      code: 'CREDENTIAL_TOKEN_REFUSED',
      message: expect.stringContaining('invalid_code'),
    });
  });

  test('for QuickBooks keep the company that the user chose', async () => {
    const data = { clientId: 'id', clientSecret: 's' };
    const ports = fakePorts({ answer: () => jsonResponse({ access_token: 't', refresh_token: 'r' }) });
    const { consentState } = begin('quickBooksOAuth2Api', data);
    const grant = { code: 'c', consentState, parameters: { realmId: '42', other: 'x' } };
    const connected = await typeOf('quickBooksOAuth2Api').consent?.complete(data, grant, ports, signal);
    expect(connected?.['oauthTokenData']).toMatchObject({ callbackQueryString: { realmId: '42' } });
    const renewed = await typeOf('quickBooksOAuth2Api').renewal?.renew(connected ?? {}, ports, signal);
    expect(renewed?.['oauthTokenData']).toMatchObject({ callbackQueryString: { realmId: '42' } });
  });
});
