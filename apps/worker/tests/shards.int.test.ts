import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runExecution } from '@sluice/queue';
import { aNode, eventually } from '@sluice/test-support';
import { Fleet } from './support/fleet.ts';
import { SlowService } from './support/slow-service.ts';

const count = 12;
let fleet: Fleet;
let service: SlowService;
beforeEach(async () => {
  service = new SlowService();
  const url = await service.start();
  fleet = await Fleet.start({ SSRF_ALLOW: '127.0.0.1', QUEUE_SHARDS: '3', CONCURRENCY: '3' });
  await fleet.serve();
  const { body } = await fleet.call('POST', '/workflows', {
    name: 'Slow',
    nodes: [
      aNode({ id: 's', name: 'Start', type: 'base.manual-trigger' }),
      aNode({ id: 'h', name: 'Request', type: 'base.http-request', typeVersion: 4.2, parameters: { url } }),
    ],
    connections: { Start: { main: [[{ node: 'Request', type: 'main', index: 0 }]] } },
  });
  for (let i = 0; i < count; i += 1) await fleet.call('POST', `/workflows/${body.id}/run`, {}, { prefer: 'respond-async' });
});
afterEach(async () => {
  service.close();
  await fleet.close();
});

async function waitingIn(shard: string): Promise<number> {
  return fleet.redis.llen(`${shard}:${runExecution.queue}:wait`);
}

async function untilAllSucceed(): Promise<void> {
  await eventually(async () => {
    const { body } = await fleet.call('GET', '/executions?status=success&limit=250');
    expect(body.data).toHaveLength(count);
  });
}

test('executions are spread over the shards, and one worker reads all of them, with one limit', async () => {
  const waiting = await Promise.all(fleet.config().redis.shards.map(waitingIn));
  expect(waiting).toEqual([count / 3, count / 3, count / 3]);

  await fleet.work();
  for (let responded = 0; responded < count; responded += 1) {
    await eventually(async () => expect(service.received).toBe(Math.min(count, responded + 3)));
    service.respond(1);
  }
  await untilAllSucceed();
  expect(service.mostAtOnce).toBe(3);
});

test('executions whose shard no worker reads any more start all the same', async () => {
  await fleet.work({}, { QUEUE_SHARDS: '1' });
  await eventually(() => service.received > 0);
  service.release();
  await untilAllSucceed();
  expect(service.received).toBe(count);
});
