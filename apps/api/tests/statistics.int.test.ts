import { afterAll, describe, expect, test } from '@jest/globals';
import { StatisticsRollUpRepository } from '@sluice/db';
import { aSmallWorkflow, eventually } from '@sluice/test-support';
import { startFakeWorker } from './support/fake-worker.ts';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi();
const worker = await startFakeWorker(api.db, api.redisPrefix);
afterAll(async () => {
  await worker.close();
  await api.close();
});

async function aWorkflow(projectId: string): Promise<string> {
  return (await api.call('POST', '/workflows', { body: { ...aSmallWorkflow(), projectId } })).body.id;
}

async function run(workflowId: string, end?: 'success' | 'error'): Promise<void> {
  const { executionId } = (await api.call('POST', `/workflows/${workflowId}/run`, { body: {} })).body;
  if (end === undefined) return;
  await worker.claim(executionId);
  await worker.finish(executionId, end === 'error' ? { name: 'Error', message: 'broken' } : undefined);
}

describe('statistics', () => {
  test('show ended executions, durations, and unfinished executions', async () => {
    const team = await api.projects.createTeam({ name: 'a team' });
    const workflowId = await aWorkflow(team.id);
    for (const end of ['success', 'success', 'error', undefined] as const) await run(workflowId, end);
    const { status, body } = await api.call('GET', `/statistics?range=1h&projectId=${team.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      range: '1h',
      bucketSeconds: 60,
      live: { queued: 1, running: 0, waiting: 0, oldestQueuedAt: expect.any(String) },
      total: { succeeded: 2, failed: 1, canceled: 0, p50Ms: expect.any(Number), p99Ms: expect.any(Number) },
      slowest: [{ workflowId, workflowName: aSmallWorkflow().name, succeeded: 2, failed: 1 }],
      mostFailing: [{ workflowId, failed: 1 }],
    });
    expect(body.buckets).toHaveLength(60);
    const counted = body.buckets.reduce((sum: number, { succeeded }: { succeeded: number }) => sum + succeeded, 0);
    expect(counted).toBe(2);
  });

  test.each([
    ['1h', 60, 60],
    ['6h', 300, 72],
    ['24h', 900, 96],
    ['7d', 7_200, 84],
    ['30d', 28_800, 90],
  ])('for %s have buckets of %d seconds', async (range, bucketSeconds, length) => {
    const { body } = await api.call('GET', `/statistics?range=${range}`);
    expect([body.bucketSeconds, body.buckets.length]).toEqual([bucketSeconds, length]);
    const times = body.buckets.map(({ at }: { at: string }) => Date.parse(at));
    expect(times.every((at: number, index: number) => index === 0 || at - times[index - 1] === bucketSeconds * 1_000)).toBe(
      true,
    );
    expect(Date.now() - times.at(-1)).toBeLessThan(bucketSeconds * 1_000 + 5_000);
  });

  test('show only executions that the caller may see', async () => {
    const team = await api.projects.createTeam({ name: 'another team' });
    const workflowId = await aWorkflow(team.id);
    await run(workflowId, 'success');
    const [member, stranger] = [await api.newUser('member'), await api.newUser('member')];
    await api.projects.setMember(team.id, member.user.id, 'project:viewer');
    const succeeded = async (key: string, query = '') =>
      (await api.call('GET', `/statistics?range=1h${query}`, { key })).body.total.succeeded;
    expect(await succeeded(member.key)).toBe(1);
    for (const query of ['', `&projectId=${team.id}`, `&workflowId=${workflowId}`])
      expect(await succeeded(stranger.key, query)).toBe(0);
    const withoutScope = await api.newKey(member.user.id, { scopes: ['execution:read'] });
    expect((await api.call('GET', '/statistics', { key: withoutScope })).status).toBe(403);
  });

  test('do not change when workers aggregate them', async () => {
    const team = await api.projects.createTeam({ name: 'a counted team' });
    await run(await aWorkflow(team.id), 'success');
    await api.db.kysely
      .updateTable('executions')
      .set({ created_at: new Date(Date.now() - 60_000) })
      .execute();
    await new StatisticsRollUpRepository(api.db.kysely).rollUp(0);
    const stored = await api.db.kysely.selectFrom('execution_statistics').selectAll().execute();
    expect(stored.length).toBeGreaterThan(0);
    await eventually(async () => {
      const { body } = await api.call('GET', `/statistics?range=24h&projectId=${team.id}`);
      expect(body.total.succeeded).toBe(1);
    });
  });
});
