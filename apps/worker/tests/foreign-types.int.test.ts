import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { NodeType } from '@sluice/node-sdk';
import { ExecutionQueue, runExecution } from '@sluice/queue';
import { aNode, eventually } from '@sluice/test-support';
import { HookFleet } from './support/hook-fleet.ts';
import { hookPackages } from './support/hook-package.ts';

const fleet = await HookFleet.start();
afterEach(() => fleet.reset());
afterAll(() => fleet.close());

describe('a worker without the types of a graph', () => {
  const start = async () => {
    const node = aNode({ id: 'h', name: 'Hook', type: 'acme.hooked', parameters: { service: fleet.service.url } });
    const manual = aNode({ id: 's', name: 'Start', type: 'base.manual-trigger' });
    const { body } = await fleet.call('POST', '/workflows', {
      name: 'Foreign',
      nodes: [manual, { ...node, name: 'Hook' }],
      connections: { Start: { main: [[{ node: 'Hook', type: 'main', index: 0 }]] } },
    });
    const { executionId } = (await fleet.call('POST', `/workflows/${body.id}/run`, {}, { prefer: 'respond-async' })).body;
    return executionId as string;
  };
  const execution = async (id: string) => (await fleet.call('GET', `/executions/${id}?includeData=true`)).body;
  const jobsIn = (queue: string) => fleet.redis.lrange(`${fleet.queuePrefix}:${queue}:wait`, 0, -1);

  test('leaves its execution to a worker that has them, even while that worker restarts', async () => {
    const able = await fleet.work();
    await fleet.work({});
    await fleet.stop(able);
    const ids = [await start(), await start()];
    const jobs = ids.map((executionId) => runExecution.jobId({ executionId, attempt: 1 })).toSorted();
    await eventually(async () => expect((await jobsIn(runExecution.queueOf('acme'))).toSorted()).toEqual(jobs));
    await delay(1_500);
    // They stay in the queue instead of moving back and forth.
    expect((await jobsIn(runExecution.queueOf('acme'))).toSorted()).toEqual(jobs);
    expect(await jobsIn(runExecution.queue)).toEqual([]);
    for (const id of ids) expect((await execution(id)).status).toBe('new');
    await fleet.work();
    for (const id of ids) await eventually(async () => expect((await execution(id)).status).toBe('success'));
  });

  test('leaves its execution to a worker that has them, even if it has other packages', async () => {
    const hooked = hookPackages.nodeTypes.get('acme.hooked') as NodeType;
    await fleet.work({ nodePackages: { ...hookPackages, nodeTypes: new Map([['other.hooked', hooked]]) } });
    await fleet.work({});
    const ids = [await start(), await start(), await start()];
    await fleet.work();
    for (const id of ids) await eventually(async () => expect((await execution(id)).status).toBe('success'));
  });

  test('drops jobs in a queue without a reader, which are delivered again through the main queue', async () => {
    const able = await fleet.work();
    await fleet.work({});
    await fleet.stop(able);
    const id = await start();
    await eventually(async () => expect(await jobsIn(runExecution.queueOf('acme'))).toHaveLength(1));
    await fleet.redis.del(`${fleet.queuePrefix}:reader-of:acme`);
    const queue = new ExecutionQueue(fleet.redis, fleet.queuePrefix);
    await queue.dropUnread();
    expect(await jobsIn(runExecution.queueOf('acme'))).toEqual([]);
    expect(await queue.listEmptyShards()).toEqual([0]);
    expect(await fleet.redis.smembers(`${fleet.queuePrefix}:packages`)).not.toContain('acme');
    await queue.enqueue({ executionId: id, attempt: 1 }); // as the sweeper does
    await delay(1_000);
    expect(await jobsIn(runExecution.queueOf('acme'))).toEqual([]);
    expect((await execution(id)).status).toBe('new');
    await fleet.work();
    await eventually(async () => expect((await execution(id)).status).toBe('success'));
    await queue.close();
  });

  test('runs its execution after a minute if no worker has them, and reports the missing type', async () => {
    await fleet.db.kysely
      .updateTable('worker_types')
      .set({ seen_at: new Date(Date.now() - 61_000) })
      .execute();
    await fleet.work({});
    const id = await start();
    await eventually(async () => {
      const { status, data } = await execution(id);
      expect([status, data?.resultData?.error?.code]).toEqual(['error', 'UNKNOWN_NODE_TYPE']);
    });
  });
});
