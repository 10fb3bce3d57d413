import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runExecution } from '@sluice/queue';
import { eventually } from '@sluice/test-support';
import type { Fleet } from './support/fleet.ts';
import { SlowFleet } from './support/slow-fleet.ts';
import type { SlowService } from './support/slow-service.ts';

const count = 12;
let slow: SlowFleet;
let fleet: Fleet;
let service: SlowService;
beforeEach(async () => {
  slow = await SlowFleet.start({ QUEUE_SHARDS: '3', CONCURRENCY: '3' });
  ({ fleet, service } = slow);
  const workflowId = await slow.aWorkflow('slow');
  // One at a time, because concurrent starts share jobs.
  for (let i = 0; i < count; i += 1) await slow.run(workflowId);
});
afterEach(() => slow.close());

async function waitingIn(shard: string): Promise<number> {
  return fleet.redis.llen(`${shard}:${runExecution.queue}:wait`);
}

test('executions are distributed across the shards, and one worker reads all shards under one limit', async () => {
  const waiting = await Promise.all(fleet.config().redis.shards.map(waitingIn));
  expect(waiting).toEqual([count / 3, count / 3, count / 3]);

  await fleet.work();
  for (let responded = 0; responded < count; responded += 1) {
    await eventually(async () => expect(service.received).toBe(Math.min(count, responded + 3)));
    service.respond(1);
  }
  await slow.untilSuccesses(count);
  expect(service.mostAtOnce).toBe(3);
});

test('executions start even if no worker reads their shard anymore', async () => {
  await fleet.work({}, { QUEUE_SHARDS: '1' });
  await eventually(() => service.received > 0);
  service.release();
  await slow.untilSuccesses(count);
  expect(service.received).toBe(count);
});
