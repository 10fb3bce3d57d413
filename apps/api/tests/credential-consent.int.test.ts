import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AuditRepository } from '@sluice/db';
import type { JsonObject } from '@sluice/domain';
import { eventually, testMasterKey } from '@sluice/test-support';
import { KeyRing, Vault } from '@sluice/vault';
import { sql } from 'kysely';
import { type OAuthService, startOAuthService } from './support/oauth-service.ts';
import { startTestApi } from './support/test-api.ts';

const vault = new Vault(KeyRing.parse([testMasterKey]));

const straight = async (urls: object) => urls;
const api = await startTestApi({ SSRF_ALLOW: '127.0.0.1' }, straight);
const service = await startOAuthService();
afterAll(async () => {
  await service.close();
  await api.close();
});
beforeEach(() => {
  service.tokenRequests.length = 0;
  service.revoked.length = 0;
});

async function aCredential(changes: JsonObject = {}, key?: string, type = 'oAuth2Api'): Promise<string> {
  const urls = { authUrl: `${service.url}/auth`, accessTokenUrl: `${service.url}/token` };
  const data = { ...urls, clientId: 'the-client', clientSecret: 'client-secret-4711', scope: 'read', ...changes };
  const { status, body } = await api.call('POST', '/credentials', { body: { name: 'CRM <b>', type, data }, key });
  expect([status, body.message]).toEqual([201, undefined]);
  return body.id;
}

const authorize = (id: string, key?: string) => api.call('POST', `/credentials/${id}/oauth2/authorize`, { key });

/** Cookies of the user's browser. */
const cookies = new Map<string, string>();

/** Submits the form of a page, as a browser does. */
async function press(text: string, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) {
  const state = /name="state" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const body = new URLSearchParams({ state });
  const response = await fetch(`${api.url}/oauth2/connect`, { method: 'POST', redirect: 'manual', headers, body });
  const setCookie = response.headers.get('set-cookie') ?? '';
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
  if (name !== '') cookies.set(name, value);
  return { status: response.status, setCookie, href: response.headers.get('location') ?? '' };
}

/**
 * Opens the page that `authorize` returns and submits its form, if any. Returns the page and the
 * service URL that it redirects to.
 */
async function openPage(authorizationUrl: string) {
  const { pathname, search } = new URL(authorizationUrl);
  const response = await fetch(`${api.url}${pathname}${search}`);
  const text = await response.text();
  const { setCookie, href } = response.ok ? await press(text) : { setCookie: '', href: '' };
  return { status: response.status, text, setCookie: `${response.headers.get('set-cookie') ?? ''}${setCookie}`, href };
}

/** Sends a user who consents to the service. Resolves to the callback URL at this API. */
async function agreed(id: string, key?: string): Promise<URL> {
  const { status, body } = await authorize(id, key);
  expect([status, body.message]).toEqual([200, undefined]);
  return service.agree((await openPage(body.authorizationUrl)).href);
}

async function goBack({ search }: URL, init: RequestInit = {}) {
  const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
  const response = await fetch(`${api.url}/oauth2/callback${search}`, { headers: { cookie }, ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function stored(id: string): Promise<JsonObject> {
  const row = await api.db.kysely.selectFrom('credentials').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { key_id: keyId, wrapped_dek: wrappedDek, ...rest } = row;
  return vault.open({ id, type: row.type }, { ...rest, keyId, wrappedDek });
}

describe('a user who connects a credential', () => {
  test('is redirected to the service, and back with a code that is exchanged for the stored token', async () => {
    const id = await aCredential();
    const back = await agreed(id);
    expect(`${back.origin}${back.pathname}`).toBe('https://sluice.example/oauth2/callback');
    const page = await goBack(back);
    expect(page.status).toBe(200);
    expect(page.text).toContain('The credential “CRM &lt;b&gt;” is connected.');
    expect(Object.fromEntries(service.tokenRequests[0] ?? [])).toEqual({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code'),
      redirect_uri: 'https://sluice.example/oauth2/callback',
    });
    const granted = `token-of-${back.searchParams.get('code')}`;
    const token = { access_token: granted, refresh_token: `refresh-${granted}`, expires_in: 3600 };
    expect(await stored(id)).toMatchObject({ clientSecret: 'client-secret-4711', oauthTokenData: token });
    const tested = await api.call('POST', '/credentials/test', { body: { credentials: { id, type: 'oAuth2Api' } } });
    expect(tested.body.status).toBe('success');
  });

  test('must submit the page: loading it, or submitting a form of another site, binds nothing', async () => {
    const { body } = await authorize(await aCredential());
    const { pathname, search } = new URL(body.authorizationUrl);
    const page = await fetch(`${api.url}${pathname}${search}`);
    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
    const text = await page.text();
    const others: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ];
    for (const headers of others) expect(await press(text, headers)).toEqual({ status: 403, setCookie: '', href: '' });
    expect((await press(text, { origin: api.url })).status).toBe(303);
  });

  test('sends the code verifier of the request with the grant type pkce', async () => {
    const id = await aCredential({ grantType: 'pkce', clientSecret: '' });
    expect((await goBack(await agreed(id))).status).toBe(200);
    expect(service.tokenRequests[0]?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
  });

  test.each([
    ['microsoftOAuth2Api', null],
    ['nextCloudOAuth2Api', 'http://127.0.0.1/dav'],
  ])('connects the type %s with the URLs of the tenant', async (type, webDavUrl) => {
    const id = await aCredential(webDavUrl === null ? {} : { webDavUrl }, undefined, type);
    expect((await goBack(await agreed(id))).status).toBe(200);
    expect(service.tokenRequests[0]?.get('client_secret')).toBe('client-secret-4711');
    expect(await stored(id)).toMatchObject({ oauthTokenData: { access_token: expect.stringMatching(/^token-of-/) } });
  });

  test('gets a page without scripts, resources, caching, or secrets', async () => {
    const back = await agreed(await aCredential());
    for (const { headers, text } of [await goBack(back), await goBack(back)]) {
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'nonce-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'same-origin']);
      for (const secret of [...back.searchParams.values(), 'token-of', 'client-secret']) expect(text).not.toContain(secret);
    }
  });

  test('is in the audit log on departure, on return, and on denial', async () => {
    const { user, key } = await api.newUser('member');
    const id = await aCredential({}, key);
    await goBack(await agreed(id, key));
    service.respondNext({ status: 400, body: { error: 'invalid_grant' } });
    await goBack(await agreed(id, key));
    await eventually(async () => {
      const lines = await new AuditRepository(api.db.kysely).list({ object: id }, { limit: 10 });
      expect(lines.map(({ action, outcome, userId }) => [action, outcome, userId])).toEqual([
        ['credential.connect', 'failed', user.id],
        ['credential.authorize', 'success', user.id],
        ['credential.connect', 'success', user.id],
        ['credential.authorize', 'success', user.id],
        ['credential.create', 'success', user.id],
      ]);
    });
  });
});

describe('the callback', () => {
  test('works once, even for concurrent requests', async () => {
    const back = await agreed(await aCredential());
    const pages = await Promise.all([1, 2, 3, 4].map(() => goBack(back)));
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(service.tokenRequests).toHaveLength(1);
    expect((await goBack(back)).text).toContain('has already been used, or has expired');
  });

  test('expires after ten minutes', async () => {
    const { body } = await authorize(await aCredential());
    const { href } = await openPage(body.authorizationUrl);
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(590_000);
    await sql`UPDATE credential_consents SET expires_at = now()`.execute(api.db.kysely);
    expect((await goBack(service.agree(href))).status).toBe(400);
    expect((await openPage(body.authorizationUrl)).status).toBe(400);
    expect(service.tokenRequests).toEqual([]);
  });

  test('cannot be found by the state in the database', async () => {
    const { body } = await authorize(await aCredential());
    const state = new URL(body.authorizationUrl).searchParams.get('state') ?? '';
    const { rows } = await sql<{ row: string }>`SELECT c::text AS row FROM credential_consents c`.execute(api.db.kysely);
    expect(rows.length).toBeGreaterThan(0);
    for (const form of [state, Buffer.from(state).toString('hex')]) expect(rows.join()).not.toContain(form);
  });

  test.each(['', '?state=x&code=y', `?state=${'a'.repeat(43)}&code=y`, '?state=a&state=b', '?code=%00'])(
    'with %j is 400 and sends no request to the service',
    async (search) => {
      expect((await goBack({ search } as URL)).status).toBe(400);
      expect(service.tokenRequests).toEqual([]);
    },
  );

  test('is not used up by a HEAD request', async () => {
    const back = await agreed(await aCredential());
    expect((await goBack(back, { method: 'HEAD' })).status).toBe(404);
    expect((await goBack(back)).status).toBe(200);
  });

  test('with an error response shows an error without text of the service, and cannot be used again', async () => {
    const id = await aCredential();
    const { searchParams } = await agreed(id);
    const state = searchParams.get('state') ?? '';
    const refusal = new URLSearchParams({ state, error: 'access_denied', error_description: 'Call 555-0199' });
    const page = await goBack({ search: `?${refusal}` } as URL);
    expect([page.status, page.text.includes('access_denied'), page.text.includes('555')]).toEqual([400, true, false]);
    expect((await goBack({ search: `?${searchParams}` } as URL)).status).toBe(400);
    expect(await stored(id)).not.toHaveProperty('oauthTokenData');
  });

  test('stores nothing for a user who may no longer change the credential', async () => {
    const team = await api.projects.createTeam({ name: 'team' });
    const { user, key } = await api.newUser('member');
    await api.projects.setMember(team.id, user.id, 'project:editor');
    const id = await aCredential();
    await api.call('PUT', `/credentials/${id}/transfer`, { body: { destinationProjectId: team.id } });
    const back = await agreed(id, key);
    await api.projects.setMember(team.id, user.id, 'project:viewer');
    expect((await goBack(back)).status).toBe(403);
    expect(service.tokenRequests).toEqual([]);
    expect(await stored(id)).not.toHaveProperty('oauthTokenData');
  });

  test('is rejected once the key that the user started with is revoked, and so is the confirmation page', async () => {
    const ends = {
      revoked: (id: string) => api.call('DELETE', `/api-keys/${id}`),
      expired: (id: string) => sql`UPDATE api_keys SET expires_at = now() WHERE id = ${id}`.execute(api.db.kysely),
    };
    for (const end of Object.values(ends)) {
      const { body: key } = await api.call('POST', '/api-keys', { body: { label: 'brief', scopes: ['credential:update'] } });
      const id = await aCredential();
      const back = await agreed(id, key.rawApiKey);
      const { body: next } = await authorize(id, key.rawApiKey);
      await end(key.id);
      expect([(await goBack(back)).status, (await openPage(next.authorizationUrl)).status]).toEqual([400, 400]);
      expect(await stored(id)).not.toHaveProperty('oauthTokenData');
    }
    expect(service.tokenRequests).toEqual([]);
  });

  test('is rejected once the credential is deleted', async () => {
    const id = await aCredential();
    const back = await agreed(id);
    await api.call('DELETE', `/credentials/${id}`);
    expect((await goBack(back)).status).toBe(400);
  });

  test('sends no code to a token URL that was changed in the meantime', async () => {
    const id = await aCredential();
    const back = await agreed(id);
    const { data } = (await api.call('GET', `/credentials/${id}?includeData=true`)).body;
    await api.call('PATCH', `/credentials/${id}`, {
      body: { data: { ...data, clientSecret: 'client-secret-4711', accessTokenUrl: `${service.url}/thief` } },
    });
    const page = await goBack(back);
    expect(page.text).toContain('was changed in the meantime');
    expect(service.tokenRequests).toEqual([]);
  });
});

describe('the confirmation page', () => {
  test('names the user and the connection and redirects to the service', async () => {
    const { user, key } = await api.newUser('member');
    const { body } = await authorize(await aCredential({}, key), key);
    expect(body.authorizationUrl).toMatch(/^https:\/\/sluice\.example\/oauth2\/connect\?state=[\w-]{43}$/);
    const { status, text, href, setCookie } = await openPage(body.authorizationUrl);
    expect(status).toBe(200);
    for (const detail of [user.email, 'CRM &lt;b&gt;', 'of the project “', new URL(service.url).host])
      expect(text).toContain(detail);
    expect(href).toMatch(new RegExp(`^${service.url}/auth\\?`));
    expect(setCookie).toMatch(
      /^__Host-sluice-connect-\w{16}=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(text).not.toContain('client-secret');
  });

  test.each(['', '?state=', `?state=${'a'.repeat(43)}`, '?state=a&state=b'])(
    'with %j is 400 and sets no cookie',
    async (search) => {
      const { status, setCookie } = await openPage(`https://sluice.example/oauth2/connect${search}`);
      expect([status, setCookie]).toEqual([400, '']);
    },
  );

  test('binds the callback to the browser that opened it, so that no other browser can connect the credential', async () => {
    const id = await aCredential();
    const other = cookies.keys().next().value ?? '';
    for (const cookie of ['', `${other}=${'a'.repeat(43)}`, 'wrong']) {
      const back = await agreed(id);
      const page = await goBack(back, { headers: { cookie } });
      expect([page.status, page.text.includes('did not start the connection')]).toEqual([400, true]);
      expect((await goBack(back)).status).toBe(400);
    }
    expect(service.tokenRequests).toEqual([]);
    expect(await stored(id)).not.toHaveProperty('oauthTokenData');
  });
});

describe('a service', () => {
  test.each<[string, Parameters<OAuthService['respondNext']>[0], string]>([
    [
      'that denies the request',
      { status: 400, body: { error: 'invalid_grant', error_description: 'no' } },
      'invalid_grant, no',
    ],
    ['that fails', { status: 503, body: {} }, 'returned no token (503)'],
    ['that never responds', 'never', 'no token within 10 seconds'],
    ['that echoes secrets', { status: 400, body: { error: 'client-secret-4711 <i>' } }, '***REDACTED*** &lt;i&gt;'],
  ])('%s is reported on the page, and nothing is stored', async (_, received, text) => {
    const id = await aCredential();
    const back = await agreed(id);
    service.respondNext(received);
    const page = await goBack(back);
    expect(page.status).toBe(502);
    expect(page.text).toContain(text);
    expect(await stored(id)).not.toHaveProperty('oauthTokenData');
  });

  test('that the SSRF guard blocks gets no request', async () => {
    const id = await aCredential({ accessTokenUrl: service.url.replace('127.0.0.1', '127.0.0.2') });
    const page = await goBack(await agreed(id));
    expect(page.status).toBe(502);
    expect(page.text).toContain('SSRF protection');
    expect(service.tokenRequests).toEqual([]);
  });
});

describe('the tokens of a credential', () => {
  /** A credential of a type whose service revokes single tokens, and its access token. */
  async function connected(): Promise<[id: string, token: string]> {
    const id = await aCredential({ server: service.url }, undefined, 'gitlabOAuth2Api');
    return [id, await connect(id)];
  }
  const connect = async (id: string) => {
    expect((await goBack(await agreed(id))).status).toBe(200);
    return ((await stored(id))['oauthTokenData'] as { access_token: string }).access_token;
  };

  test('are revoked at the service after the credential is deleted', async () => {
    const [id, token] = await connected();
    expect((await api.call('DELETE', `/credentials/${id}`)).status).toBe(200);
    const both = [
      { kind: 'refresh_token', token: `refresh-${token}` },
      { kind: 'access_token', token },
    ];
    await eventually(() => expect(service.revoked).toEqual(both));
  });

  test('are revoked when new tokens replace them, and the new tokens stay valid', async () => {
    const [id, old] = await connected();
    const fresh = await connect(id);
    await eventually(() => expect(service.revoked.map(({ token }) => token)).toEqual([`refresh-${old}`, old]));
    expect(fresh).not.toBe(old);
  });

  test.each<[string, Parameters<OAuthService['respondNext']>[0]]>([
    ['does not respond', 'never'],
    ['fails', { status: 503, body: {} }],
  ])('do not delay the deletion if the service %s', async (_, response) => {
    const [id] = await connected();
    service.respondNext(response);
    expect((await api.call('DELETE', `/credentials/${id}`)).status).toBe(200);
    expect((await api.call('GET', `/credentials/${id}`)).status).toBe(404);
  });
});

describe('no user is redirected', () => {
  test('without the right to change the credential', async () => {
    const id = await aCredential();
    const team = await api.projects.createTeam({ name: 'team' });
    const { user, key } = await api.newUser('member');
    await api.projects.setMember(team.id, user.id, 'project:admin');
    await api.call('PUT', `/credentials/${id}/share`, { body: { shareWithIds: [team.id] } });
    expect((await authorize(id, key)).status).toBe(403);
    expect((await authorize(id, (await api.newUser('member')).key)).status).toBe(403);
    expect((await authorize('none')).status).toBe(404);
  });

  test.each<[string, JsonObject, string]>([
    ['client credentials', { grantType: 'clientCredentials' }, 'needs no consent'],
    ['an invalid URL', { authUrl: 'javascript:alert(1)' }, 'authUrl'],
  ])('for %s: 400', async (_, changes, message) => {
    const { status, body } = await authorize(await aCredential(changes));
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.message).toContain(message);
  });

  test('for another type, or a managed credential: 400', async () => {
    const basic = await aCredential({ user: 'ann', password: 'p' }, undefined, 'httpBasicAuth');
    expect((await authorize(basic)).status).toBe(400);
    const id = await aCredential();
    await api.db.kysely.updateTable('credentials').set({ is_managed: true }).where('id', '=', id).execute();
    expect((await authorize(id)).body.message).toBe('managed credentials cannot be updated');
  });
});
