import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { closeRedis, createRedis, ExecutionQueue, runExecution } from '@sluice/queue';
import { eventually, testRedisPrefix, testRedisUrl } from '@sluice/test-support';
import { Backlog } from '../src/intake/backlog.ts';
import { ExecutionIntake } from '../src/intake/execution-intake.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const [failing, succeeding] = ['1', '2'];
const ended = Promise.withResolvers<void>();
const tried: string[] = [];
const redis = createRedis(testRedisUrl(), 'consumer', logger);
const prefix = testRedisPrefix();
const queue = new ExecutionQueue(redis, prefix);
const intake = new ExecutionIntake(
  async ({ executionId }, { onClaimed }) => {
    tried.push(executionId);
    if (executionId === failing) throw new Error('the worker closes');
    setTimeout(() => onClaimed?.(), 50);
    await ended.promise;
  },
  {
    redis,
    prefixes: [prefix],
    queue: runExecution.queue,
    deliveries: 1,
    limit: () => 5,
    backlog: new Backlog({ queued: { listWorkflows: async () => [], take: async () => [] } }),
    executionQueue: queue,
    closing: new AbortController().signal,
    logger,
  },
);
beforeEach(() => intake.start());
afterEach(async () => {
  ended.resolve();
  await intake.stop();
  await queue.close();
  await closeRedis(redis);
});

test('an execution keeps its slot until it ends, even if its claim takes longer than a failed claim of the same job', async () => {
  await queue.enqueueAll([failing, succeeding].map((executionId) => ({ executionId, attempt: 1 })));
  await eventually(() => tried.length === 2);
  await eventually(() => intake.running === 1);
  let hasStopped = false;
  const stopped = intake.stop().then(() => (hasStopped = true));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(hasStopped).toBe(false);

  ended.resolve();
  await stopped;
  expect(intake.running).toBe(0);
});
