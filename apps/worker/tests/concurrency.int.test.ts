import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runExecution } from '@sluice/queue';
import { eventually } from '@sluice/test-support';
import type { Fleet } from './support/fleet.ts';
import { SlowFleet } from './support/slow-fleet.ts';
import type { SlowService } from './support/slow-service.ts';

let slow: SlowFleet;
let fleet: Fleet;
let service: SlowService;
let workflowId: string;
beforeEach(async () => {
  slow = await SlowFleet.start();
  ({ fleet, service } = slow);
  workflowId = await slow.aWorkflow('slow');
});
afterEach(() => slow.close());

test('with CONCURRENCY=auto, a worker raises its limit far above the initial value for executions that wait for a service', async () => {
  await fleet.work({}, { CONCURRENCY: 'auto' });
  const ids = await slow.run(workflowId, 90);
  await eventually(async () => expect(service.received).toBe(90));
  service.release();
  await slow.untilSuccesses(ids.length);
  expect(service.received).toBe(90);
});

test('with a number, the limit is never exceeded', async () => {
  await fleet.work({}, { CONCURRENCY: '3' });
  const ids = await slow.run(workflowId, 9);
  for (let responded = 0; responded < 9; responded += 1) {
    await eventually(async () => expect(service.received).toBe(Math.min(9, responded + 3)));
    service.respond(1);
  }
  await slow.untilSuccesses(ids.length);
  expect(service.mostAtOnce).toBe(3);
});

test('executions that run while Redis loses all jobs finish, and each runs once', async () => {
  await fleet.work({}, { CONCURRENCY: '5' });
  const ids = await slow.run(workflowId, 5);
  await eventually(async () => expect(service.received).toBe(5));
  const keys = await fleet.redis.keys(`${fleet.queuePrefix}:*`);
  if (keys.length > 0) await fleet.redis.del(...keys);
  service.release();
  await slow.untilSuccesses(ids.length);
  await delay(500);
  expect(service.received).toBe(5);
});

test.each(['paused', 'concurrency'])(
  'executions start even if another client has set the field %s of the queue',
  async (field) => {
    service.release();
    await fleet.redis.hset(`${fleet.queuePrefix}:${runExecution.queue}:meta`, field, field === 'paused' ? '1' : '0');
    await fleet.work({}, { LEASE_MS: '1500' });
    await slow.run(workflowId, 2);
    await slow.untilSuccesses(2);
  },
);

test('a stopping worker accepts no more executions and finishes the running executions', async () => {
  const worker = await fleet.work({}, { CONCURRENCY: '4', SHUTDOWN_GRACE_MS: '20000' });
  const ids = await slow.run(workflowId, 6);
  await eventually(async () => expect(service.received).toBe(4));
  const stopped = fleet.stop(worker);
  await delay(300);
  service.release();
  await stopped;
  expect(service.received).toBe(4);
  const { body } = await fleet.call('GET', '/executions?status=success');
  expect(body.data).toHaveLength(4);
  await fleet.work();
  await slow.untilSuccesses(ids.length);
});
