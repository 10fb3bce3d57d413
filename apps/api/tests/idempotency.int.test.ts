import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aSmallWorkflow } from '@sluice/test-support';
import { ownerKey, startTestApi } from './support/test-api.ts';

let workflowId: string;

const api = await startTestApi();
afterAll(() => api.close());
beforeEach(async () => {
  workflowId = (await api.call('POST', '/workflows', { body: aSmallWorkflow() })).body.id;
});

function run(idempotencyKey: string, { key, id = workflowId, body }: { key?: string; id?: string; body?: unknown } = {}) {
  const headers = { 'idempotency-key': idempotencyKey, prefer: 'respond-async' };
  return api.call('POST', `/workflows/${id}/run`, { headers, body, ...(key ? { key } : {}) });
}

const executionOf = async (...args: Parameters<typeof run>) => (await run(...args)).body.executionId;

describe('an idempotency key', () => {
  test('applies to one user and one path', async () => {
    const { key } = await api.newUser('admin');
    const { body: other } = await api.call('POST', '/workflows', { body: aSmallWorkflow() });
    const ids = [
      await executionOf('k'),
      await executionOf('k', { key }),
      await executionOf('k', { id: other.id }),
      await executionOf('K'),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(await executionOf('k')).toBe(ids[0]);
  });

  test('applies to a path however it is spelled', async () => {
    const id = await executionOf('k');
    const [first = '', ...rest] = workflowId;
    const escaped = `%${first.charCodeAt(0).toString(16)}${rest.join('')}`;
    for (const path of [`${workflowId}/run/`, `${escaped}/run`]) {
      const headers = { 'x-service-api-key': ownerKey, 'idempotency-key': 'k', prefer: 'respond-async' };
      const response = await fetch(`${api.url}/api/v1/workflows/${path}`, { method: 'POST', headers });
      expect(await response.json()).toMatchObject({ executionId: id });
    }
  });

  test('applies to all API keys of a user', async () => {
    const { user, key } = await api.newUser('admin');
    expect(await executionOf('k', { key: await api.newKey(user.id) })).toBe(await executionOf('k', { key }));
  });

  test('can be reused after 24 hours but not before', async () => {
    const id = await executionOf('k');
    const age = (hours: number) =>
      api.db.kysely
        .updateTable('idempotency_keys')
        .set({ created_at: new Date(Date.now() - hours * 3_600_000) })
        .where('execution_id', '=', id)
        .execute();
    await age(23.9);
    expect(await executionOf('k')).toBe(id);
    await age(24.1);
    const next = await executionOf('k');
    expect(next).not.toBe(id);
    expect(await executionOf('k')).toBe(next);
  });

  test('of a rejected request can be reused', async () => {
    expect((await run('k', { body: { destinationNode: 'none' } })).status).toBe(400);
    expect((await run('k')).status).toBe(200);
  });

  test('returns the first execution even for another body', async () => {
    const id = await executionOf('k');
    expect(await executionOf('k', { body: { workflowData: { nodes: [], connections: {} } } })).toBe(id);
  });

  test('returns the first execution even if the workflow no longer has the nodes that the request names', async () => {
    const body = { destinationNode: 'Set' };
    const id = await executionOf('k', { body });
    await api.call('POST', `/executions/${id}/stop`);
    const retry = () =>
      api.call('POST', `/executions/${id}/retry`, {
        headers: { 'idempotency-key': 'r' },
        body: { loadWorkflow: true, from: 'Set' },
      });
    const { body: retried } = await retry();
    const { nodes } = aSmallWorkflow();
    const changed = { nodes: nodes.filter(({ name }) => name !== 'Set'), connections: {} };
    expect((await api.call('PATCH', `/workflows/${workflowId}`, { body: changed })).status).toBe(200);
    expect((await run('k', { body })).body.executionId).toBe(id);
    expect((await retry()).body.id).toBe(retried.id);
    expect((await run('other', { body })).status).toBe(400);
  });

  test('rejects a caller that has lost access', async () => {
    await executionOf('k');
    expect((await run('k', { key: (await api.newUser('member')).key })).status).toBe(403);
  });

  test('starts no second execution for 24 hours, even if the first one has been deleted', async () => {
    const id = await executionOf('k');
    await api.call('POST', `/executions/${id}/stop`);
    await api.call('POST', '/executions/delete', { body: { ids: [id] } });

    const again = await run('k');

    expect([again.status, again.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_EXECUTION_DELETED']);
    expect((await api.call('GET', `/executions?workflowId=${workflowId}`)).body.data).toEqual([]);
  });

  test('of a retry starts no second execution either', async () => {
    const original = await executionOf('k');
    await api.call('POST', `/executions/${original}/stop`);
    const retry = () => api.call('POST', `/executions/${original}/retry`, { headers: { 'idempotency-key': 'r' } });
    const { id } = (await retry()).body;
    await api.call('POST', `/executions/${id}/stop`);
    await api.call('POST', '/executions/delete', { body: { ids: [id] } });

    expect((await retry()).body).toMatchObject({ code: 'IDEMPOTENCY_KEY_EXECUTION_DELETED' });
  });

  test('is 1 to 255 printable characters', async () => {
    for (const key of ['', 'x'.repeat(256), 'ä']) expect((await run(key)).status).toBe(400);
    expect((await run('x'.repeat(255))).status).toBe(200);
  });
});
