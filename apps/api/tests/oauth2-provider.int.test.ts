import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { eventually, testMasterKey } from '@sluice/test-support';
import { KeyRing, Vault } from '@sluice/vault';
import { Browser, type Page } from './support/browser.ts';
import { createCredential } from './support/credentials.ts';
import { startOidcService } from './support/oidc-service.ts';
import { startTestApi } from './support/test-api.ts';

const vault = new Vault(KeyRing.parse([testMasterKey]));

// The server logs a warning that its forms are for tests.
jest.spyOn(console, 'warn').mockImplementation(() => {});
jest.spyOn(console, 'info').mockImplementation(() => {});
const service = await startOidcService();
const straight = async (urls: object) => urls;
const api = await startTestApi({ SSRF_ALLOW: '127.0.0.1' }, straight);
afterAll(async () => {
  await api.close();
  await service.close();
  jest.restoreAllMocks();
});
beforeEach(() => {
  service.tokenSeconds = 3_600;
  service.grants.length = 0;
  service.errors.length = 0;
});

interface Token {
  access_token: string;
  refresh_token?: string;
  expiresAt: number;
}

async function aCredential(changes: JsonObject = {}, type = 'oAuth2Api'): Promise<string> {
  const data = {
    authUrl: `${service.url}/oauth/authorize`,
    accessTokenUrl: `${service.url}/oauth/token`,
    clientId: 'confidential',
    clientSecret: 'client-secret-4711',
    scope: 'openid offline_access api',
    // The server issues refresh tokens only if it prompts the user.
    authQueryParameters: 'prompt=consent',
    testUrl: `${service.url}/api/v4/user`,
    ...changes,
  };
  return (await createCredential(api, { type, data })).id;
}

/**
 * Connects a credential as its user does: from our page through the forms of the server and back.
 */
async function connect(id: string): Promise<Page> {
  const { browser, page } = await atService(id);
  const consent = await browser.submit(page, { login: 'ann', password: 'any' });
  expect(consent.text).toContain('Authorize');
  return browser.submit(consent);
}

async function atService(id: string): Promise<{ browser: Browser; page: Page }> {
  const { status, body } = await api.call('POST', `/credentials/${id}/oauth2/authorize`);
  expect([status, body.message]).toEqual([200, undefined]);
  const browser = new Browser(new Map([['https://sluice.example', api.url]]));
  return { browser, page: await browser.submit(await browser.open(body.authorizationUrl)) };
}

async function tokenOf(id: string): Promise<Token | undefined> {
  const row = await api.db.kysely.selectFrom('credentials').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { key_id: keyId, wrapped_dek: wrappedDek, ...rest } = row;
  return vault.open({ id, type: row.type }, { ...rest, keyId, wrappedDek })['oauthTokenData'] as Token | undefined;
}

async function connected(changes: JsonObject = {}, type?: string): Promise<[id: string, token: Token]> {
  const id = await aCredential(changes, type);
  const page = await connect(id);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('is connected')]);
  return [id, (await tokenOf(id)) as Token];
}

/** Requests the user info of the token with the stored credential. */
async function tryOut(id: string, type = 'oAuth2Api'): Promise<{ status: string; message: string }> {
  return (await api.call('POST', '/credentials/test', { body: { credentials: { id, type } } })).body;
}

describe('a connected credential', () => {
  test.each<[string, JsonObject]>([
    ['with a client secret', {}],
    ['with the client secret in the body', { authentication: 'body', clientId: 'gitlab' }],
    ['with PKCE, of a public client', { grantType: 'pkce', clientId: 'public', clientSecret: '' }],
    ['with PKCE and a client secret', { grantType: 'pkce', clientId: 'pkce-required' }],
  ])('%s authenticates requests', async (_, changes) => {
    const [id, token] = await connected(changes);
    expect(token).toMatchObject({ token_type: 'Bearer', refresh_token: expect.any(String), expires_in: 3_600 });
    expect(await tryOut(id)).toMatchObject({ status: 'success' });
    expect([service.grants, service.errors]).toEqual([['authorization_code'], []]);
  });

  test.each<[string, JsonObject]>([
    ['of a confidential client', {}],
    ['of a public client', { grantType: 'pkce', clientId: 'public', clientSecret: '' }],
  ])('%s renews an expired token once for concurrent requests, and keeps the rotated refresh token', async (_, changes) => {
    service.tokenSeconds = 1;
    const [id, first] = await connected(changes);
    // The server counts whole seconds, so the token can expire before the credential does.
    await eventually(() => expect(Date.now()).toBeGreaterThan(first.expiresAt));
    expect(await service.userinfoStatus(first.access_token)).toBe(401);
    service.tokenSeconds = 3_600;
    const results = await Promise.all([1, 2, 3, 4].map(() => tryOut(id)));
    expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'success', 'success']);
    expect([service.grants, service.errors]).toEqual([['authorization_code', 'refresh_token'], []]);
    const second = (await tokenOf(id)) as Token;
    expect(second.access_token).not.toBe(first.access_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
  });

  test('whose grant the service has revoked fails with the error of the service', async () => {
    service.tokenSeconds = 1;
    const [id, { access_token: accessToken, refresh_token: refreshToken = '' }] = await connected();
    const authorization = `Basic ${Buffer.from('confidential:client-secret-4711').toString('base64')}`;
    const body = new URLSearchParams({ token: refreshToken });
    await fetch(`${service.url}/oauth/revoke`, { method: 'POST', headers: { authorization }, body });
    await eventually(async () => expect(await service.userinfoStatus(accessToken)).toBe(401));
    const refused = { status: 'error', message: expect.stringContaining('invalid_grant') };
    await eventually(async () => expect(await tryOut(id)).toMatchObject(refused));
  });

  test('of a type with a revocation endpoint leaves no valid tokens after its deletion', async () => {
    const own = { server: service.url, clientId: 'gitlab', customScopes: true, enabledScopes: 'openid api' };
    const [id, { access_token: accessToken, refresh_token: refreshToken = '' }] = await connected(own, 'gitlabOAuth2Api');
    expect(await tryOut(id, 'gitlabOAuth2Api')).toMatchObject({ status: 'success' });
    expect((await api.call('DELETE', `/credentials/${id}`)).status).toBe(200);
    await eventually(async () => expect(await service.userinfoStatus(accessToken)).toBe(401));
    const client = { client_id: 'gitlab', client_secret: 'client-secret-4711' };
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, ...client });
    const refreshed = await fetch(`${service.url}/oauth/token`, { method: 'POST', body });
    expect([refreshed.status, await refreshed.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
  });
});

describe('client credentials', () => {
  const machine = { grantType: 'clientCredentials', clientId: 'machine', authentication: 'body', scope: 'api', testUrl: '' };

  test('get a token without a user', async () => {
    const id = await aCredential(machine);
    expect(await tryOut(id)).toMatchObject({ status: 'success' });
    expect(new Set(service.grants)).toEqual(new Set(['client_credentials']));
    expect(await tokenOf(id)).toMatchObject({ token_type: 'Bearer', scope: 'api' });
  });

  test.each<[string, JsonObject, string]>([
    ['of another client', { clientSecret: 'wrong' }, 'invalid_client'],
    ['for a scope that the client does not have', { scope: 'openid' }, 'invalid_scope'],
  ])('%s fail with the error of the service', async (_, changes, error) => {
    const id = await aCredential({ ...machine, ...changes });
    expect(await tryOut(id)).toMatchObject({ status: 'error', message: expect.stringContaining(error) });
    expect(await tokenOf(id)).toBeUndefined();
  });
});

describe('a credential stays unconnected, and the page names the error', () => {
  test('if the user denies consent', async () => {
    const id = await aCredential();
    const { browser, page } = await atService(id);
    const cancel = /href="([^"]+\/abort)"/.exec(page.text)?.[1] ?? '';
    const back = await browser.open(new URL(cancel, page.url));
    expect([back.url.origin, back.status]).toEqual(['https://sluice.example', 400]);
    expect(back.text).toContain('access_denied');
    expect(await tokenOf(id)).toBeUndefined();
  });

  test('if the client secret is wrong', async () => {
    const id = await aCredential({ clientSecret: 'wrong' });
    const page = await connect(id);
    expect(page.status).toBe(502);
    expect(page.text).toContain('returned no token (401): invalid_client');
    expect(await tokenOf(id)).toBeUndefined();
  });

  test.each<[string, JsonObject, string]>([
    ['the service requires PKCE', { clientId: 'pkce-required' }, 'invalid_request'],
    ['the service may not prompt the user', { authQueryParameters: 'prompt=none' }, 'login_required'],
  ])('if %s', async (_, changes, error) => {
    const id = await aCredential(changes);
    const { page } = await atService(id);
    expect([page.url.origin, page.status]).toEqual(['https://sluice.example', 400]);
    expect(page.text).toContain(error);
    expect([service.errors, await tokenOf(id)]).toEqual([[error], undefined]);
  });
});
