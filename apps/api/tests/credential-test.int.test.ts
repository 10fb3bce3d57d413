import { afterAll, describe, expect, test } from '@jest/globals';
import { aTeam, basicAuth, createCredential, redacted, startCredentialBench } from './support/credentials.ts';

const bench = await startCredentialBench();
const { api } = bench;
afterAll(() => bench.close());

const create = (changes?: object, key?: string) => createCredential(api, changes, key);

describe('test', () => {
  const tryOut = async (credentials: unknown, key?: string) => {
    const { status, body } = await api.call('POST', '/credentials/test', { key, body: { credentials } });
    return status === 200 ? body : { ...body, httpStatus: status };
  };

  test('sends stored or given data to the service', async () => {
    const { id } = await create({ data: { ...basicAuth.data, testUrl: bench.target.url } });
    const type = 'httpBasicAuth';
    bench.target.seen.length = 0;
    expect(await tryOut({ id, type })).toMatchObject({ status: 'success' });
    expect(await tryOut({ id, type, data: { password: redacted, user: 'ann' } })).toMatchObject({ status: 'success' });
    expect(await tryOut({ id, type, data: { user: 'bob' } })).toMatchObject({ status: 'error' });
    expect(await tryOut({ id: '', type, data: { ...basicAuth.data, testUrl: bench.target.url } })).toMatchObject({
      status: 'success',
    });
    expect(bench.target.seen).toHaveLength(4);
  });

  test('never returns a secret, even if the service echoes it', async () => {
    const data = { user: 'ann', password: 'sentinel-0815', testUrl: bench.target.url };
    const body = JSON.stringify(await tryOut({ id: '', type: 'httpBasicAuth', data }));
    expect(body).toContain('"status":"error"');
    for (const secret of ['sentinel-0815', Buffer.from('ann:sentinel-0815').toString('base64')])
      expect(body).not.toContain(secret);
  });

  test('opens a connection for a type without HTTP', async () => {
    const connection = { host: '127.0.0.1', port: 1, database: 'd', user: 'u', password: 'pass-word', ssl: 'disable' };
    const result = await tryOut({ id: '', type: 'postgres', data: connection });
    expect(result.status).toBe('error');
    expect(result.message).toMatch(/refused/);
  });

  test('names missing and invalid fields, and is 400 for an invalid request', async () => {
    expect(await tryOut({ id: '', type: 'httpBasicAuth', data: {} })).toMatchObject({
      status: 'error',
      message: 'the credential is not complete: user is required',
    });
    const ssh = { host: 'localhost', port: 22, username: 'u', password: 'pass-word', hostKeyFingerprints: 'x' };
    expect(await tryOut({ id: '', type: 'sshPassword', data: ssh })).toMatchObject({
      status: 'error',
      message: expect.stringMatching(/^the credential is not valid: \S/),
    });
    const { id } = await create();
    for (const bad of [
      undefined,
      [],
      {},
      { id },
      { type: 'httpBasicAuth' },
      { id, type: 'nonsense' },
      { id, type: 'httpHeaderAuth' },
      { id: 1, type: 'httpBasicAuth' },
      { id, type: 'httpBasicAuth', data: [] },
      { id: '', type: 'httpBasicAuth', data: { user: redacted, password: 'x' } },
    ]) {
      expect([bad, (await tryOut(bad)).httpStatus]).toEqual([bad, 400]);
    }
    expect((await tryOut({ id: 'none', type: 'httpBasicAuth' })).httpStatus).toBe(404);
  });

  test('never sends stored secrets to another host for users who may not change the credential', async () => {
    const { team, editor, viewer } = await aTeam(api);
    const data = { ...basicAuth.data, testUrl: bench.target.url };
    const { id } = await create({ data });
    await api.call('PUT', `/credentials/${id}/share`, { body: { shareWithIds: [team.id] } });
    const type = 'httpBasicAuth';
    expect(await tryOut({ id, type }, editor.key)).toMatchObject({ status: 'success' });
    const redactedData = { user: 'ann', password: redacted, testUrl: bench.target.url };
    expect(await tryOut({ id, type, data: redactedData }, editor.key)).toMatchObject({ status: 'success' });
    bench.target.seen.length = 0;
    expect((await tryOut({ id, type, data: { testUrl: `${bench.target.url}/thief` } }, editor.key)).httpStatus).toBe(403);
    expect((await tryOut({ id, type }, viewer.key)).httpStatus).toBe(403);
    expect(bench.target.seen).toEqual([]);
  });

  test('requires the scope credential:update for changed data but not for stored data', async () => {
    const { id } = await create({ data: { ...basicAuth.data, testUrl: bench.target.url } });
    const { user } = await api.newUser('admin');
    const reader = await api.newKey(user.id, { scopes: ['credential:read'] });
    const type = 'httpBasicAuth';
    bench.target.seen.length = 0;
    for (const data of [{ testUrl: `${bench.target.url}/thief` }, { user: 'bob' }, { password: 'other' }])
      expect(await tryOut({ id, type, data }, reader)).toMatchObject({
        httpStatus: 403,
        details: [{ path: 'scope', message: 'credential:update' }],
      });
    expect(bench.target.seen).toEqual([]);
    expect(await tryOut({ id, type }, reader)).toMatchObject({ status: 'success' });
    expect(await tryOut({ id, type, data: { user: 'ann' } }, reader)).toMatchObject({ status: 'success' });
  });

  test('never sends a stored secret to a changed destination, and names the fields to send again', async () => {
    const { id } = await create({ data: { ...basicAuth.data, testUrl: bench.target.url } });
    const type = 'httpBasicAuth';
    const testUrl = `${bench.target.url}/thief`;
    bench.target.seen.length = 0;
    for (const data of [{ testUrl }, { testUrl, password: redacted }, { testUrl, user: 'ann', password: redacted }])
      expect(await tryOut({ id, type, data })).toMatchObject({
        httpStatus: 400,
        code: 'VALIDATION_ERROR',
        details: [{ path: '/credentials/data/password', message: expect.stringContaining('testUrl') }],
      });
    const allowed = { allowedHttpRequestDomains: 'domains', allowedDomains: 'a.example' };
    expect((await tryOut({ id, type: 'httpHeaderAuth', data: { testUrl } })).httpStatus).toBe(400);
    expect(bench.target.seen).toEqual([]);
    expect((await tryOut({ id, type, data: allowed })).message).toContain('allowed hosts');
    expect(bench.target.seen).toEqual([]);
    expect(await tryOut({ id, type, data: { testUrl, password: 'correct horse' } })).toMatchObject({ status: 'success' });
  });

  test('returns an error for data that no key decrypts', async () => {
    const { id } = await create();
    await api.db.kysely.updateTable('credentials').set({ key_id: 'gone' }).where('id', '=', id).execute();
    expect(await tryOut({ id, type: 'httpBasicAuth' })).toMatchObject({
      status: 'error',
      message: expect.stringContaining('cannot be decrypted'),
    });
  });
});
