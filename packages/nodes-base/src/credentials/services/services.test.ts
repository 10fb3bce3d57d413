import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { fakePorts, jsonResponse } from '../../testing/credential-ports.ts';
import { serviceSamples } from '../../testing/service-samples.ts';
import { signed } from '../../testing/signed.ts';
import { createCredentialTypeRegistry } from '../credential-type-registry.ts';

const signal = new AbortController().signal;
const registry = createCredentialTypeRegistry();

function typeOf(name: string) {
  const type = registry.find(name);
  if (!type) throw new Error(`no credential type ${name}`);
  return type;
}

const hostsOf = (name: string, data: JsonObject) => {
  const { hosts } = typeOf(name);
  return typeof hosts === 'function' ? hosts(data) : hosts;
};

/** 2xx responses of services. */
const answers: Record<string, unknown> = { odooApi: { jsonrpc: '2.0', result: 7 }, mondayComApi: { data: {} } };

describe.each(serviceSamples.map((sample) => [sample.type, sample] as const))(
  '%s',
  (name, { data, expectedRequest, headers = {} }) => {
    test('sends its test request with the credential', async () => {
      const ports = fakePorts({ answer: () => jsonResponse(answers[name] ?? {}) });
      expect(await typeOf(name).test?.(data, ports, signal)).toEqual({ status: 'OK', message: 'the connection works' });
      expect(ports.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([expectedRequest]);
      expect(ports.requests[0]?.headers ?? {}).toMatchObject(headers);
    });

    test('reports a rejection by the service', async () => {
      const result = await typeOf(name).test?.(data, fakePorts({ answer: () => jsonResponse({}, 401) }), signal);
      expect(result).toEqual({ status: 'Error', message: 'the service refused the credential (401)' });
    });
  },
);

test.each([
  [{ weaviate_cloud_endpoint: 'https://c1.weaviate.example/' }, ['c1.weaviate.example:443']],
  [{ connection_type: 'custom_connection', custom_connection_http_host: 'db' }, ['http://db:8080']],
  [
    {
      connection_type: 'custom_connection',
      custom_connection_http_host: 'db',
      custom_connection_http_port: 443,
      custom_connection_http_secure: true,
    },
    ['db:443'],
  ],
  [{}, []],
])('a Weaviate credential with %j is for %j', (data, hosts) => {
  expect(hostsOf('weaviateApi', data)).toEqual(hosts);
});

test.each([
  ['odooApi', { jsonrpc: '2.0', result: false }, 'the service refused the user name or password'],
  ['linearApi', { errors: [{ message: 'not authenticated' }] }, 'not authenticated'],
  ['mondayComApi', { errors: ['Not Authenticated'] }, 'the service refused the credential'],
])('%s refuses with a 200', async (name, answer, message) => {
  const { data = {} } = serviceSamples.find(({ type }) => type === name) ?? {};
  const result = await typeOf(name).test?.(data, fakePorts({ answer: () => jsonResponse(answer) }), signal);
  expect(result).toEqual({ status: 'Error', message });
});

test.each([
  [401, 'expected'],
  [429, 'transient'],
  [503, 'transient'],
])('a login to Baserow that ends with %i fails with an error of the kind %s', async (status, kind) => {
  const { data = {} } = serviceSamples.find(({ type }) => type === 'baserowApi') ?? {};
  const login = typeOf('baserowApi').preAuthentication?.obtain(
    data,
    fakePorts({ answer: () => jsonResponse({}, status) }),
    signal,
  );
  await expect(login).rejects.toMatchObject({
    code: 'CREDENTIAL_TOKEN_REFUSED',
    kind,
    message: expect.stringContaining(`${status}`),
  });
});

describe('a service at a customer’s address', () => {
  test.each<[string, JsonObject, string[]]>([
    ['supabaseApi', { host: 'https://acme.supabase.co' }, ['acme.supabase.co:443']],
    ['qdrantApi', { qdrantUrl: 'http://localhost:6333/' }, ['http://localhost:6333']],
    ['azureOpenAiApi', { resourceName: 'acme' }, ['acme.openai.azure.com:443']],
    ['azureOpenAiApi', { resourceName: 'acme', endpoint: 'https://own.example/' }, ['own.example:443']],
    ['freshdeskApi', { domain: 'acme' }, ['acme.freshdesk.com']],
    ['freshdeskApi', { domain: 'evil.example/' }, []],
    ['zendeskApi', { subdomain: 'acme' }, ['acme.zendesk.com']],
    ['zendeskApi', { subdomain: 'evil.example/' }, []],
    ['microsoftSharePointOAuth2Api', { subdomain: 'evil.example/' }, ['login.microsoftonline.com:443']],
    ['mailchimpApi', { apiKey: 'k-us6' }, ['us6.api.mailchimp.com']],
    ['mailchimpApi', { apiKey: 'k-evil.example/' }, []],
    ['jotFormApi', {}, ['api.jotform.com']],
    ['supabaseApi', {}, []],
  ])('%s with %j allows %j', (name, data, hosts) => {
    expect(hostsOf(name, data)).toEqual(hosts);
  });

  test.each([
    ['zendeskApi', { subdomain: 'acme.zendesk.com' }, /only the part before/],
    ['shopifyAccessTokenApi', { shopSubdomain: '' }, /only the part before/],
    ['mailchimpApi', { apiKey: 'abc' }, /data center/],
  ])('%s refuses %j', (name, data, message) => {
    expect(typeOf(name).problemOf?.(data)).toMatch(message);
  });
});

describe('authentication by other fields', () => {
  const get = { method: 'GET', url: 'https://a.example/' };
  const sign = (name: string, data: JsonObject, request: object = {}) =>
    signed(typeOf(name), { ...get, ...request }, data, fakePorts());

  test('Twilio uses the account by default', async () => {
    const { headers } = await sign('twilioApi', { accountSid: 'AC1', authToken: 't' });
    expect(headers).toEqual({ authorization: `Basic ${btoa('AC1:t')}` });
  });

  test('WooCommerce sends the key in the query if chosen', async () => {
    const data = { consumerKey: 'k', consumerSecret: 's', includeCredentialsInQuery: true };
    expect(await sign('wooCommerceApi', data)).toMatchObject({ url: 'https://a.example/?consumer_key=k&consumer_secret=s' });
  });

  test('Anthropic keeps the version of the request', async () => {
    const { headers } = await sign('anthropicApi', { apiKey: 'k' }, { headers: { 'Anthropic-Version': 'v2' } });
    expect(headers).toEqual({ 'Anthropic-Version': 'v2', 'x-api-key': 'k' });
  });

  test('self-hosted servers may need no key', async () => {
    expect(await sign('ollamaApi', {})).toEqual(get);
    expect(await sign('qdrantApi', { qdrantUrl: 'https://q.example' })).toEqual(get);
  });

  test.each([
    [{ accessToken: 'a', accessTokenSecret: 'b', oauthTokenData: { oauth_token: 'old' } }, 'a'],
    [{ oauthTokenData: { oauth_token: 'imported', oauth_token_secret: 'b' } }, 'imported'],
  ])('X signs with the portal’s token or an imported token', async (data, token) => {
    const { headers } = await sign('twitterOAuth1Api', { consumerKey: 'c', consumerSecret: 's', ...data });
    const authorization = String(headers?.['authorization']);
    expect(authorization).toContain(`oauth_token="${token}"`);
    expect(authorization).toContain('oauth_signature_method="HMAC-SHA1"');
  });
});

describe('baserowApi', () => {
  const data = { username: 'ann', password: 'p' };
  const renewal = typeOf('baserowApi').renewal;

  test('exchanges the password for a session', async () => {
    const ports = fakePorts({ answer: () => jsonResponse({ access_token: 'jwt' }) });
    expect(renewal?.isDue(data, ports.now())).toBe(true);
    expect(await renewal?.renew(data, ports, signal)).toMatchObject({ ...data, sessionToken: 'jwt' });
    expect(ports.requests).toMatchObject([
      { method: 'POST', url: 'https://api.baserow.io/api/user/token-auth/', body: '{"email":"ann","password":"p"}' },
    ]);
  });

  test('reports a refused password', async () => {
    const renewed = renewal?.renew(data, fakePorts({ answer: () => jsonResponse({}, 401) }), signal);
    await expect(renewed).rejects.toMatchObject({ code: 'CREDENTIAL_TOKEN_REFUSED' });
  });
});
