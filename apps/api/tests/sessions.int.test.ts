import { afterAll, describe, expect, test } from '@jest/globals';
import { SignInRepository } from '@sluice/db';
import { scopes } from '@sluice/domain';
import { eventually } from '@sluice/test-support';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi();
const links = new SignInRepository(api.db.kysely);
afterAll(() => api.close());

const redeem = (token: string) => api.call('POST', '/sessions', { key: null, body: { token } });

async function newSession(role: 'owner' | 'member' = 'member') {
  const { user, key } = await api.newUser(role);
  const { status, body } = await redeem(await links.createLink(user.id, 60_000));
  expect(status).toBe(201);
  return { user, key, session: body as { id: string; apiKey: string; expiresAt: string } };
}

describe('a sign-in link', () => {
  test('starts a session with every scope of its user, without an API key', async () => {
    const { user, session } = await newSession();
    expect(session).toMatchObject({ user: { id: user.id, email: user.email } });
    const { body } = await api.call('GET', `/users/${user.id}`, { key: session.apiKey });
    expect(body.email).toBe(user.email);
    expect((await api.call('GET', '/workflows', { key: session.apiKey })).status).toBe(200);
    const days = (Date.parse(session.expiresAt) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
  });

  test('works once, even for concurrent requests', async () => {
    const { user } = await api.newUser('member');
    const token = await links.createLink(user.id, 60_000);
    const statuses = (await Promise.all([redeem(token), redeem(token), redeem(token)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 401, 401]);
    expect(await redeem(token)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
  });

  test('that has expired or never existed is 401; an invalid body is 400, and an oversized body 413', async () => {
    const { user } = await api.newUser('member');
    expect((await redeem(await links.createLink(user.id, -1))).status).toBe(401);
    expect((await redeem('x'.repeat(40))).status).toBe(401);
    expect((await api.call('POST', '/sessions', { key: null, body: { token: 7 } })).status).toBe(400);
    expect((await api.call('POST', '/sessions', { key: null, body: { token: 'x'.repeat(70_000) } })).status).toBe(413);
    expect((await api.call('GET', '/sessions', { key: null })).status).toBe(405);
  });

  test('that is rejected does not flood the audit log', async () => {
    const lines = () =>
      api.db.kysely.selectFrom('audit_log').select(['action', 'details']).where('outcome', '=', 'denied').execute();
    const isOfSessions = ({ details }: { details: unknown }) => JSON.stringify(details).includes('session.create');
    for (let sent = 0; sent < 30; sent += 1) expect((await redeem(`unknown-${sent}`)).status).toBe(401);
    const records = await eventually(async () => {
      const denied = (await lines()).filter(isOfSessions);
      return denied.length > 0 && denied;
    });
    const unauthorized = records.filter(({ details }) => JSON.stringify(details).includes('"UNAUTHORIZED"'));
    expect(unauthorized.map(({ action }) => action)).toEqual(['auth.failure']);
    const failed = api.db.kysely.selectFrom('audit_log').select('id').where('action', '=', 'session.create');
    expect(await failed.where('outcome', '<>', 'success').execute()).toEqual([]);
  });

  test('is stored only as a hash', async () => {
    const { user } = await api.newUser('member');
    const token = await links.createLink(user.id, 60_000);
    const rows = await api.db.kysely.selectFrom('sign_in_links').selectAll().where('user_id', '=', user.id).execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows.map((row) => ({ ...row, token_hash: row.token_hash.toString('latin1') })))).not.toContain(token);
  });
});

describe('a session', () => {
  test('is not listed or changed like an API key, and needs no attention', async () => {
    const { key, session } = await newSession();
    const { body: keys } = await api.call('GET', '/api-keys', { key: session.apiKey });
    expect(keys.map(({ label }: { label: string }) => label)).toEqual(['test']);
    expect((await api.call('PATCH', `/api-keys/${session.id}`, { key, body: { label: 'mine' } })).status).toBe(404);
    expect((await api.call('DELETE', `/api-keys/${session.id}`, { key })).status).toBe(404);
    const { body: attention } = await api.call('GET', '/attention', { key: session.apiKey });
    expect(attention.data.filter(({ apiKey }: { apiKey: unknown }) => apiKey !== null)).toEqual([]);
  });

  test('can create keys that outlive it, like the command line', async () => {
    const { session } = await newSession();
    const body = { label: 'for scripts', scopes };
    const { body: created } = await api.call('POST', '/api-keys', { key: session.apiKey, body });
    expect(created.expiresAt).toBeNull();
    await api.call('DELETE', `/sessions/${session.id}`, { key: session.apiKey });
    expect((await api.call('GET', '/workflows', { key: created.rawApiKey })).status).toBe(200);
  });

  test('ends immediately when its user signs out, and no other user can end it', async () => {
    const { session } = await newSession();
    const other = await api.newUser('member');
    expect((await api.call('DELETE', `/sessions/${session.id}`, { key: other.key })).status).toBe(404);
    expect((await api.call('DELETE', `/sessions/${session.id}`, { key: session.apiKey })).body).toEqual({ success: true });
    expect((await api.call('GET', '/workflows', { key: session.apiKey })).status).toBe(401);
  });

  test('can be ended with another key of its user only if that key has all its scopes', async () => {
    const { user, session } = await newSession();
    const end = (key: string) => api.call('DELETE', `/sessions/${session.id}`, { key });
    const refused = await end(await api.newKey(user.id, { scopes: scopes.slice(1) }));
    expect([refused.status, refused.body.details]).toEqual([403, [{ path: 'scope', message: scopes[0] }]]);
    expect((await api.call('GET', '/workflows', { key: session.apiKey })).status).toBe(200);
    expect((await end(await api.newKey(user.id))).status).toBe(200);
  });

  test('ends with its user', async () => {
    const { user, session } = await newSession();
    await api.users.delete(user.id, () => undefined);
    expect((await api.call('GET', '/workflows', { key: session.apiKey })).status).toBe(403);
  });
});
