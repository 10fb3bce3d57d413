import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runExecution } from '@sluice/queue';
import { aNode, eventually } from '@sluice/test-support';
import { Fleet } from './support/fleet.ts';
import { SlowService } from './support/slow-service.ts';

let fleet: Fleet;
let service: SlowService;
let workflowId: string;
beforeEach(async () => {
  service = new SlowService();
  const url = await service.start();
  fleet = await Fleet.start({ SSRF_ALLOW: '127.0.0.1' });
  await fleet.serve();
  const { body } = await fleet.call('POST', '/workflows', {
    name: 'Slow',
    nodes: [
      aNode({ id: 's', name: 'Start', type: 'base.manual-trigger' }),
      aNode({ id: 'h', name: 'Request', type: 'base.http-request', typeVersion: 4.2, parameters: { url } }),
    ],
    connections: { Start: { main: [[{ node: 'Request', type: 'main', index: 0 }]] } },
  });
  workflowId = body.id;
});
afterEach(async () => {
  service.close();
  await fleet.close();
});

async function start(count: number): Promise<string[]> {
  const run = async () => {
    const response = await fleet.call('POST', `/workflows/${workflowId}/run`, {}, { prefer: 'respond-async' });
    return response.body.executionId as string;
  };
  return Promise.all(Array.from({ length: count }, run));
}

async function untilAllSucceed(ids: readonly string[]): Promise<void> {
  await eventually(async () => {
    const { body } = await fleet.call('GET', `/executions?status=success&limit=250`);
    expect(body.data).toHaveLength(ids.length);
  });
}

test('with CONCURRENCY=auto, one worker runs far more executions that wait for a service than it starts with', async () => {
  await fleet.work({}, { CONCURRENCY: 'auto' });
  const ids = await start(60);
  await eventually(async () => expect(service.received).toBe(60));
  service.release();
  await untilAllSucceed(ids);
  expect(service.received).toBe(60);
});

test('with a number, never more run at once', async () => {
  await fleet.work({}, { CONCURRENCY: '3' });
  const ids = await start(9);
  for (let responded = 0; responded < 9; responded += 1) {
    await eventually(async () => expect(service.received).toBe(Math.min(9, responded + 3)));
    service.respond(1);
  }
  await untilAllSucceed(ids);
  expect(service.mostAtOnce).toBe(3);
});

test('executions that run while Redis loses all jobs finish, each once', async () => {
  await fleet.work({}, { CONCURRENCY: '5' });
  const ids = await start(5);
  await eventually(async () => expect(service.received).toBe(5));
  const keys = await fleet.redis.keys(`${fleet.queuePrefix}:*`);
  if (keys.length > 0) await fleet.redis.del(...keys);
  service.release();
  await untilAllSucceed(ids);
  await delay(500);
  expect(service.received).toBe(5);
});

test.each(['paused', 'concurrency'])(
  'executions start although another client has set the field %s of the queue',
  async (field) => {
    service.release();
    await fleet.redis.hset(`${fleet.queuePrefix}:${runExecution.queue}:meta`, field, field === 'paused' ? '1' : '0');
    await fleet.work({}, { LEASE_MS: '1500' });
    await untilAllSucceed(await start(2));
  },
);

test('a stopping worker accepts no more executions, and finishes the running ones', async () => {
  const worker = await fleet.work({}, { CONCURRENCY: '4', SHUTDOWN_GRACE_MS: '20000' });
  const ids = await start(6);
  await eventually(async () => expect(service.received).toBe(4));
  const stopped = fleet.stop(worker);
  await delay(300);
  service.release();
  await stopped;
  expect(service.received).toBe(4);
  const { body } = await fleet.call('GET', '/executions?status=success');
  expect(body.data).toHaveLength(4);
  await fleet.work();
  await untilAllSucceed(ids);
});
