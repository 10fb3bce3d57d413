import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import type { AttemptRef } from '@sluice/db';
import { createLogger } from '@sluice/logger';
import { closeRedis, createRedis, ExecutionQueue, runExecution } from '@sluice/queue';
import { eventually, testRedisPrefix, testRedisUrl } from '@sluice/test-support';
import { Backlog } from '../src/intake/backlog.ts';
import { ExecutionIntake } from '../src/intake/execution-intake.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const [failing, succeeding] = ['1', '2'];
const redis = createRedis(testRedisUrl(), 'consumer', logger);
const prefix = testRedisPrefix();
const queue = new ExecutionQueue(redis, prefix);
afterAll(async () => {
  await queue.close();
  await closeRedis(redis);
});

type Options = ConstructorParameters<typeof ExecutionIntake>[1];

const started = async (run: ConstructorParameters<typeof ExecutionIntake>[0], options: Partial<Options> = {}) => {
  const intake = new ExecutionIntake(run, {
    redis,
    prefixes: [prefix],
    queue: runExecution.queue,
    deliveries: 1,
    limit: () => 5,
    backlog: new Backlog({ queued: { listWorkflows: async () => [], take: async () => [] } }),
    executionQueue: queue,
    closing: new AbortController().signal,
    logger,
    ...options,
  });
  await intake.start();
  return intake;
};

test('an execution keeps its slot until it ends, even if its claim takes longer than a failed claim of the same job', async () => {
  const ended = Promise.withResolvers<void>();
  const tried: string[] = [];
  const intake = await started(async ({ executionId }, { onClaimed }) => {
    tried.push(executionId);
    if (executionId === failing) throw new Error('the worker closes');
    setTimeout(() => onClaimed?.({ projectId: 'p' }), 50);
    await ended.promise;
  });
  await queue.enqueueAll([failing, succeeding].map((executionId) => ({ executionId, attempt: 1 })));
  await eventually(() => tried.length === 2);
  await eventually(() => intake.running === 1);
  let hasStopped = false;
  const stopped = intake.stop().then(() => (hasStopped = true));
  await sleep(200);
  expect(hasStopped).toBe(false);

  ended.resolve();
  await stopped;
  expect(intake.running).toBe(0);
});

test('a stop waits for executions whose job was being fetched', async () => {
  for (let round = 0; round < 10; round += 1) {
    const intake = await started(async (_, { onClaimed }) => {
      onClaimed?.({ projectId: 'p' });
      await sleep(100);
    });
    await sleep(20); // it waits for a job
    const enqueued = queue.enqueue({ executionId: String(round), attempt: 1 });
    await sleep(round % 5);
    await intake.stop();
    expect(intake.running).toBe(0);
    await enqueued;
  }
});

test('executions of other projects start beyond the limit, up to ten at a time, while those of a project wait for memory', async () => {
  const queued = Array.from({ length: 15 }, (_, n) => `other ${n}`);
  const backlog = new Backlog({
    queued: {
      listWorkflows: async () =>
        ['waiting', 'other'].map((projectId) => ({
          projectId,
          weight: 1,
          workflowId: projectId,
          priority: 1,
          waitedMs: 1_000,
        })),
      take: async (turns) =>
        turns.flatMap((turn) =>
          (turn.projectId === 'other' ? queued.splice(0, turn.count) : ['none']).map((executionId) => ({
            ...turn,
            executionId,
            attempt: 1,
          })),
        ),
    },
  });
  const [running, ends] = [new Set<string>(), new Map<string, () => void>()];
  const projects = new Set<string>();
  const run: ConstructorParameters<typeof ExecutionIntake>[0] = async ({ executionId }, { onClaimed }) => {
    onClaimed?.({ projectId: 'p' });
    running.add(executionId);
    await new Promise<void>((resolve) => ends.set(executionId, resolve));
    running.delete(executionId);
  };
  const intake = await started(run, { limit: () => 1, backlog, waitingProjects: () => projects });
  await queue.enqueueAll([{ executionId: '1', attempt: 1 }]);
  await eventually(() => running.has('1'));
  await sleep(600);
  expect(running.size).toBe(1);
  projects.add('waiting');
  await eventually(() => running.size === 11);
  await sleep(600);
  expect(running.size).toBe(11);
  ends.get('other 0')?.();
  await eventually(() => running.has('other 10'));
  const stopped = intake.stop();
  const ending = setInterval(() => ends.forEach((end) => void end()), 10);
  await stopped;
  clearInterval(ending);
  expect(intake.running).toBe(0);
});

test('while no execution ends, those of projects without a running execution start beyond the limit', async () => {
  const projectIds = ['1', '2', '3']; // the first digit of their executions
  const queued = new Map(projectIds.map((projectId) => [projectId, [`${projectId}1`, `${projectId}2`]]));
  const backlog = new Backlog({
    queued: {
      listWorkflows: async () =>
        projectIds.map((projectId) => ({ projectId, weight: 1, workflowId: projectId, priority: 1, waitedMs: 1_000 })),
      take: async (turns) =>
        turns.flatMap((turn) =>
          (queued.get(turn.projectId) ?? []).splice(0, turn.count).map((executionId) => ({ ...turn, executionId, attempt: 1 })),
        ),
    },
  });
  const running: string[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const run: ConstructorParameters<typeof ExecutionIntake>[0] = ({ executionId }, { onClaimed }) => {
    onClaimed?.({ projectId: executionId.slice(0, 1) });
    running.push(executionId);
    return ended;
  };
  const intake = await started(run, { limit: () => 2, backlog, waitingProjects: () => new Set() });
  await queue.enqueueAll(['10', '20'].map((executionId) => ({ executionId, attempt: 1 })));
  await eventually(() => running.length === 4, { timeoutMs: 10_000 });
  await sleep(600);
  expect(running.toSorted()).toEqual(['10', '20', '31', '32']);
  end();
  await intake.stop();
});

test('executions of other projects do not start once the worker has stopped', async () => {
  const { promise: taken, resolve: take } = Promise.withResolvers<AttemptRef[]>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const ran: string[] = [];
  const backlog = new Backlog({ queued: { listWorkflows: async () => [], take: async () => [] } });
  let isTaking = false;
  backlog.takeOfOthers = () => {
    isTaking = true;
    return taken;
  };
  const run: ConstructorParameters<typeof ExecutionIntake>[0] = ({ executionId }, { onClaimed }) => {
    onClaimed?.({ projectId: 'p' });
    ran.push(executionId);
    return ended;
  };
  const intake = await started(run, { limit: () => 1, backlog, waitingProjects: () => new Set(['waiting']) });
  await queue.enqueueAll([{ executionId: '1', attempt: 1 }]);
  await eventually(() => isTaking);
  end();
  await intake.stop();
  take([{ executionId: '2', attempt: 1 }]);
  await sleep(50);
  expect(ran).toEqual(['1']);
});

test('an execution starts soon if another one used its job, and its own was started by another worker', async () => {
  const startedElsewhere = { executionId: '101', attempt: 1 };
  const waiting = { executionId: '102', attempt: 1, projectId: 'p', workflowId: 'w' };
  const queuedAt = performance.now();
  const ran: string[] = [];
  const isOld = (olderThanMs: number) => performance.now() - queuedAt > olderThanMs && ran.length === 0;
  const backlog = new Backlog({
    queued: {
      listWorkflows: async (olderThanMs) => (isOld(olderThanMs) ? [{ ...waiting, weight: 1, priority: 5, waitedMs: 300 }] : []),
      take: async (_, olderThanMs) => (isOld(olderThanMs) ? [waiting] : []),
    },
  });
  const run: ConstructorParameters<typeof ExecutionIntake>[0] = async ({ executionId }, { onClaimed }) => {
    if (executionId === startedElsewhere.executionId) return;
    ran.push(executionId);
    onClaimed?.({ projectId: 'p' });
  };
  const intake = await started(run, { backlog });
  try {
    await queue.enqueueAgain(startedElsewhere);
    await eventually(() => expect(ran).toEqual([waiting.executionId]));
    expect(performance.now() - queuedAt).toBeLessThan(8_000); // the sweeper restores jobs after ten seconds
  } finally {
    await intake.stop();
  }
});

test('an execution must be claimed before it runs while executions of several workflows take turns', async () => {
  const workflows = ['a', 'b'].map((workflowId) => ({ projectId: 'p', workflowId, weight: 1, priority: 5, waitedMs: 300 }));
  let now = 0;
  const backlog = new Backlog({ now: () => now, queued: { listWorkflows: async () => workflows, take: async () => [] } });
  const shard = `${prefix}:${runExecution.queue}`;
  const claims: (boolean | undefined)[] = [];
  const intake = await started(
    async (_, { mustClaim, onClaimed }) => {
      claims.push(mustClaim);
      onClaimed?.({ projectId: 'p' });
    },
    { backlog },
  );
  const claimOf = async (executionId: string) => {
    const before = claims.length;
    await queue.enqueue({ executionId, attempt: 1 });
    return eventually(() => claims.length > before && [claims.at(-1)]);
  };
  try {
    expect(await claimOf('201')).toEqual([false]);
    let id = 201;
    await eventually(async () => {
      for (let calls = 0; calls < 2; calls += 1) {
        now += 1_000;
        await backlog.next(1, shard); // the queue may be reported as empty in between
      }
      id += 1;
      expect(await claimOf(String(id))).toEqual([true]);
    });
  } finally {
    await intake.stop();
  }
});
