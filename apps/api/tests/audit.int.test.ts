import { afterAll, describe, expect, test } from '@jest/globals';
import { type AuditFilter, AuditRepository, generateApiKey } from '@sluice/db';
import { scopes } from '@sluice/domain';
import { aSmallWorkflow, eventually, testMasterKey } from '@sluice/test-support';
import { sql } from 'kysely';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi();
const log = new AuditRepository(api.db.kysely);
afterAll(() => api.close());

/** Waits for this many matching entries and returns the newest. */
function lines(filter: AuditFilter, count: number) {
  return eventually(async () => {
    const records = await log.list(filter, { limit: 100 });
    expect(records).toHaveLength(count);
    return records;
  });
}

describe('the audit log of the API', () => {
  test('records the user, action, object, address, key, and request', async () => {
    const { user, key } = await api.newUser('member');
    const headers = { 'x-request-id': 'the-request' };
    const { body } = await api.call('POST', '/workflows', { key, headers, body: { ...aSmallWorkflow(), name: 'Invoices' } });
    const [apiKey] = await api.keys.listOf(user.id);
    const [line] = await lines({ actor: user.id }, 1);
    expect(line).toMatchObject({
      actor: user.email,
      userId: user.id,
      keyId: apiKey?.id,
      ip: '127.0.0.1',
      requestId: 'the-request',
      action: 'workflow.create',
      objectType: 'workflow',
      objectId: body.id,
      objectName: 'Invoices',
      projectId: user.personalProjectId,
      outcome: 'success',
    });
  });

  test('can be paged and filtered by owners and admins, newest first', async () => {
    const { user, key } = await api.newUser('admin');
    const create = (name: string) => api.call('POST', '/workflows', { key, body: { ...aSmallWorkflow(), name } });
    const { body: first } = await create('first');
    const { body: second } = await create('second');
    await lines({ actor: user.id }, 2);
    const read = (query: string, as = key) => api.call('GET', `/audit?${query}`, { key: as });

    const { status, body: page } = await read(`actor=${encodeURIComponent(user.email)}&limit=1`);
    expect(status).toBe(200);
    const about = { actor: user.email, userId: user.id, action: 'workflow.create', outcome: 'success', at: expect.any(String) };
    expect(page.data).toEqual([expect.objectContaining({ ...about, objectId: second.id, objectName: 'second' })]);
    const { body: rest } = await read(`actor=${encodeURIComponent(user.email)}&limit=1&cursor=${page.nextCursor}`);
    expect(rest).toEqual({ data: [expect.objectContaining({ ...about, objectId: first.id })], nextCursor: null });
    expect((await read(`object=${first.id}&actor=${user.id}`)).body.data).toHaveLength(1);
    const inAMinute = new Date(Date.now() + 60_000).toISOString();
    expect((await read(`since=${inAMinute}`)).body).toEqual({ data: [], nextCursor: null });
    expect((await read(`since=${page.data[0].at}&object=${second.id}`)).body.data).toHaveLength(1);

    const narrow = await api.newKey(user.id, { scopes: ['workflow:read'] });
    const { key: ofMember } = await api.newUser('member');
    expect([(await read('', narrow)).status, (await read('', ofMember)).status]).toEqual([403, 403]);
    expect((await read('cursor=x')).status).toBe(400);
  });

  test('names the tested credential, even if the test failed or was denied', async () => {
    const { user, key } = await api.newUser('member');
    const { key: strangersKey } = await api.newUser('member');
    const body = { name: 'C', type: 'httpBasicAuth', data: { user: 'u', password: 'p' } };
    const { id } = (await api.call('POST', '/credentials', { key, body })).body;
    const tested = (of: { id: string; type: string }, as = key) =>
      api.call('POST', '/credentials/test', { key: as, body: { credentials: of } });
    await tested({ id, type: 'httpBasicAuth' });
    await tested({ id, type: 'jwtAuth' });
    await tested({ id, type: 'httpBasicAuth' }, strangersKey);
    await tested({ id: 'none', type: 'httpBasicAuth' });

    const about = { action: 'credential.test', objectType: 'credential', objectId: id, objectName: 'C' };
    expect(await lines({ object: id }, 4)).toMatchObject([
      { ...about, projectId: user.personalProjectId, outcome: 'denied', details: { type: 'httpBasicAuth', code: 'FORBIDDEN' } },
      { ...about, outcome: 'failed', details: { type: 'jwtAuth', code: 'VALIDATION_ERROR' } },
      { ...about, outcome: 'success', details: { type: 'httpBasicAuth' } },
      { action: 'credential.create' },
    ]);
    expect(await lines({ object: 'none' }, 1)).toMatchObject([{ outcome: 'failed', details: { type: 'httpBasicAuth' } }]);
  });

  test('truncates strings that are not IDs, which can have any length in a rejected request', async () => {
    const { user, key } = await api.newUser('member');
    const body = { name: 'C', type: 'httpBasicAuth', data: { user: 'u', password: 'p' } };
    const { id } = (await api.call('POST', '/credentials', { key, body })).body;
    const long = 'x'.repeat(10_000);
    const refused = [
      await api.call('PUT', `/credentials/${id}/transfer`, { key, body: { destinationProjectId: long } }),
      await api.call('PUT', `/credentials/${id}/share`, { key, body: { shareWithIds: [long] } }),
      await api.call('DELETE', `/projects/${user.personalProjectId}/members/${long}`, { key }),
      await api.call('DELETE', `/projects/${long}`, { key }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const lengths = (await lines({ actor: user.id }, 5)).map((line) => JSON.stringify(line).length);
    expect(Math.max(...lengths)).toBeLessThan(1_000);
  });

  test('finds a stopMany by its workflow, and shows its filter', async () => {
    const { key } = await api.newUser('member');
    const { body: workflow } = await api.call('POST', '/workflows', { key, body: { ...aSmallWorkflow(), name: 'W' } });
    const filter = { workflowId: workflow.id, status: ['queued', 'running'], startedAfter: '2020-01-01' };
    await api.call('POST', '/executions/stopMany', { key, body: { filter } });
    await api.call('POST', '/executions/stopMany', { key: (await api.newUser('member')).key, body: { filter } });

    const about = { action: 'execution.stopMany', objectType: 'workflow', objectId: workflow.id };
    expect(await lines({ object: workflow.id }, 3)).toMatchObject([
      { ...about, outcome: 'denied', details: { filter } },
      { ...about, objectName: 'W', outcome: 'success', details: { filter, count: 0 } },
      { action: 'workflow.create' },
    ]);
  });

  test('finds a deletion by each of its executions', async () => {
    const { key } = await api.newUser('member');
    await api.call('POST', '/executions/delete', { key, body: { ids: ['\u0000', '\ud800', 'x'] } });
    const { body: workflow } = await api.call('POST', '/workflows', { key, body: aSmallWorkflow() });
    const run = async () => (await api.call('POST', `/workflows/${workflow.id}/run`, { key })).body.executionId;
    const ids = [await run(), await run()];
    await api.call('POST', '/executions/delete', { key, body: { ids: [...ids, '999999999999'] } });
    for (const id of ids) {
      expect(await lines({ object: id }, 1)).toMatchObject([
        { action: 'execution.delete', outcome: 'success', details: { ids, count: 2 } },
      ]);
    }
  });

  test('names the fields of an update, and the number of executions that stopMany stopped', async () => {
    const { user, key } = await api.newUser('member');
    const { body: workflow } = await api.call('POST', '/workflows', { key, body: aSmallWorkflow() });
    for (let i = 0; i < 3; i += 1) await api.call('POST', `/workflows/${workflow.id}/run`, { key });
    await lines({ actor: user.id }, 4);
    await api.call('PATCH', `/workflows/${workflow.id}`, { key, body: { name: 'n', staticData: {}, ignored: 1 } });
    await api.call('POST', '/executions/stopMany', { key, body: { filter: { status: ['queued'] } } });
    const [stopMany, update, run] = await lines({ actor: user.id }, 6);
    expect(stopMany).toMatchObject({ action: 'execution.stopMany', objectId: null, details: { count: 3 } });
    expect(update).toMatchObject({ action: 'workflow.update', details: { fields: ['name', 'staticData'] } });
    expect(run).toMatchObject({ action: 'workflow.run', objectId: workflow.id, details: { executionId: expect.any(String) } });
  });

  test('has an entry with the code for each rejected or failed request', async () => {
    const { user, key } = await api.newUser('member');
    const { body: foreign } = await api.call('POST', '/workflows', { body: aSmallWorkflow() });
    await api.call('DELETE', `/workflows/${foreign.id}`, { key });
    await api.call('DELETE', '/workflows/none', { key });
    await api.call('POST', '/workflows', { key, body: {} });
    const records = await lines({ actor: user.id }, 3);
    expect(records.map(({ objectId, outcome, details }) => [objectId, outcome, details?.['code']])).toEqual([
      [null, 'failed', 'VALIDATION_ERROR'],
      ['none', 'failed', 'NOT_FOUND'],
      [foreign.id, 'denied', 'FORBIDDEN'],
    ]);
  });

  test('has one entry for many rejected keys or missing scopes', async () => {
    const { user } = await api.newUser('member');
    const key = await api.newKey(user.id, { scopes: scopes.filter((scope) => scope !== 'workflow:list') });
    for (let i = 0; i < 10; i += 1) await api.call('GET', '/workflows', { key });
    const [denial] = await lines({ actor: user.id }, 1);
    expect(denial).toMatchObject({
      action: 'scope.denied',
      outcome: 'denied',
      details: { scope: 'workflow:list', endpoint: 'GET /workflows' },
    });

    for (let i = 0; i < 10; i += 1) await api.call('GET', '/workflows', { key: generateApiKey() });
    const failures = await eventually(async () => {
      const recent = await log.list({}, { limit: 1000 });
      const records = recent.filter(({ action, details }) => action === 'auth.failure' && details?.['reason'] === 'unknown');
      expect(records.length).toBeGreaterThan(0);
      return records;
    });
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatchObject({ actor: null, userId: null, ip: '127.0.0.1' });

    const [apiKey] = await api.keys.listOf(user.id);
    await api.keys.revoke(apiKey?.id ?? '', user.id, () => undefined);
    await eventually(async () => expect((await api.call('GET', '/workflows', { key })).body.message).toContain('revoked'));
    const [refused] = await lines({ actor: apiKey?.id ?? '' }, 2);
    expect(refused).toMatchObject({ action: 'auth.failure', userId: user.id, details: { reason: 'revoked' } });
  });

  test('contains no secret', async () => {
    const { user, key } = await api.newUser('admin');
    const secret = 'correct-horse-battery';
    const data = { user: 'ann', password: secret };
    const { body: created } = await api.call('POST', '/credentials', { key, body: { name: 'c', type: 'httpBasicAuth', data } });
    await api.call('PATCH', `/credentials/${created.id}`, { key, body: { data } });
    const { body: newKey } = await api.call('POST', '/api-keys', { key, body: { label: 'l', scopes: ['workflow:read'] } });
    const email = `${user.id}@example.com`;
    const { body: newUser } = await api.call('POST', '/users', { key, body: { email, role: 'member', createApiKey: true } });
    await api.call('GET', `/workflows?name=${secret}`, { key: secret.padEnd(30, 'x') });
    await lines({ actor: user.id }, 4);
    const { rows } = await sql<{ line: string }>`SELECT audit_log::text AS line FROM audit_log`.execute(api.db.kysely);
    const text = rows.map(({ line }) => line).join();
    for (const hidden of [secret, key, newKey.rawApiKey, newUser.rawApiKey]) expect(text).not.toContain(hidden);
  });

  test('has the entry of a run, with workflow and start node, as soon as its response is sent', async () => {
    const { user, key } = await api.newUser('member');
    const { body: workflow } = await api.call('POST', '/workflows', { key, body: aSmallWorkflow() });
    const runs = Array.from({ length: 8 }, () => api.call('POST', `/workflows/${workflow.id}/run`, { key }));
    const started = (await Promise.all(runs)).map(({ body }) => body.executionId);
    const records = await log.list({ object: workflow.id }, { limit: 100 });
    const lines = records.filter(({ action }) => action === 'workflow.run');
    expect(lines.map(({ details }) => details?.['executionId']).sort()).toEqual(started.sort());
    const about = { objectType: 'workflow', objectId: workflow.id, projectId: user.personalProjectId, outcome: 'success' };
    for (const line of lines) expect(line).toMatchObject({ ...about, actor: user.email, requestId: expect.any(String) });
  });

  test('a change or run does not happen if its entry cannot be written', async () => {
    const { key } = await api.newUser('member');
    const { body: workflow } = await api.call('POST', '/workflows', { key, body: aSmallWorkflow() });
    await sql`ALTER TABLE audit_log ADD CONSTRAINT full_disk CHECK (action NOT IN ('workflow.create', 'workflow.run')) NOT VALID`.execute(
      api.db.kysely,
    );
    try {
      expect((await api.call('POST', '/workflows', { key, body: aSmallWorkflow() })).status).toBe(500);
      expect((await api.call('POST', `/workflows/${workflow.id}/run`, { key })).status).toBe(500);
      expect((await api.call('GET', '/workflows', { key })).body.data).toHaveLength(1);
      expect((await api.call('GET', '/executions', { key })).body.data).toEqual([]);
    } finally {
      await sql`ALTER TABLE audit_log DROP CONSTRAINT full_disk`.execute(api.db.kysely);
    }
  });

  test('records the names of the settings of each process, never their values', async () => {
    const [line] = await log.list({ object: 'process' }, { limit: 1 });
    expect(line).toMatchObject({ actor: 'api', action: 'process.start', outcome: 'success' });
    expect(line?.details?.['settings']).toEqual(expect.arrayContaining(['PORT', 'DATABASE_URL', 'ENCRYPTION_KEY']));
    expect(JSON.stringify(line)).not.toContain(testMasterKey);
  });
});
