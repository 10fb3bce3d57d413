import { expect, test } from '@jest/globals';
import type { AttemptRef } from '@sluice/db';
import { UnavailableError } from '@sluice/domain';
import { JobHandover, type JobHandoverOptions } from './job-handover.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
const ref = { executionId: '1', attempt: 1 };
const open = new AbortController().signal;
const noQueue = {
  enqueueAgain: async () => undefined,
  enqueueFor: async () => false,
  returnToHead: async () => undefined,
};

/**
 * A handover whose pauses end immediately. Options set which other workers have `type` and whether
 * a worker reads the queue of its package.
 */
function aHandover(options: Partial<JobHandoverOptions> = {}) {
  const world = { deferred: { type: null as string | null } as { type: string | null } | undefined, isRead: false };
  const pauses: number[] = [];
  const moved: string[] = [];
  let passedOn = Promise.withResolvers<void>();
  const handover = new JobHandover({
    recorder: { deferToOthers: async () => world.deferred, handBack: async () => true },
    queue: {
      ...noQueue,
      enqueueAgain: async () => passedOn.resolve(),
      async enqueueFor(name) {
        if (!world.isRead) return false;
        moved.push(name);
        passedOn.resolve();
        return true;
      },
    },
    packages: [],
    logger: silent as unknown as JobHandoverOptions['logger'],
    pause: async (ms) => void pauses.push(ms),
    ...options,
  });
  const deliver = async (job: AttemptRef) => {
    passedOn = Promise.withResolvers();
    await handover.handOver(job, open);
    if (world.deferred) await passedOn.promise;
  };
  return { world, pauses, moved, deliver };
}

async function deliverTimes(times: number, deliver: (job: AttemptRef) => Promise<void>, job: AttemptRef = ref): Promise<void> {
  for (let time = 0; time < times; time += 1) await deliver(job);
}

test('a job that no worker can run is redelivered after pauses that double up to four seconds', async () => {
  const { deliver, pauses } = aHandover();
  await deliverTimes(7, deliver);
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
});

test('a job is also redelivered after pauses if this worker has another version of its package', async () => {
  const { deliver, pauses, world, moved } = aHandover({ packages: ['nodes-acme'] });
  Object.assign(world, { left: { type: 'nodes-acme.send@2' }, isRead: true });
  await deliverTimes(3, deliver);
  expect({ pauses, moved }).toEqual({ pauses: [250, 500, 1_000], moved: [] });
});

test('each attempt of an execution has its own pauses', async () => {
  const { deliver, pauses } = aHandover();
  await deliverTimes(3, deliver);
  await deliver({ ...ref, attempt: 2 });
  await deliver({ executionId: '2', attempt: 1 });
  expect(pauses).toEqual([250, 500, 1_000, 250, 250]);
});

test('a job moves to the queue of its package without a pause once a worker reads that queue, and its pauses are forgotten', async () => {
  const { deliver, pauses, world, moved } = aHandover();
  world.deferred = { type: 'nodes-acme.send' };
  await deliverTimes(3, deliver);
  world.isRead = true;
  await deliver(ref);
  expect({ pauses, moved }).toEqual({ pauses: [250, 500, 1_000], moved: ['nodes-acme'] });
  world.isRead = false;
  await deliver(ref);
  expect(pauses.at(-1)).toBe(250);
});

test('the pauses of an obsolete job are forgotten', async () => {
  const { deliver, pauses, world } = aHandover();
  await deliverTimes(3, deliver);
  world.deferred = undefined;
  await deliver(ref);
  world.deferred = { type: null };
  await deliver(ref);
  expect(pauses).toEqual([250, 500, 1_000, 250]);
});

test('after a burst of other jobs, a job starts again with the shortest pause', async () => {
  const { deliver, pauses } = aHandover();
  for (let id = 1; id <= 10_001; id += 1) await deliver({ executionId: String(id), attempt: 1 });
  expect([pauses.length, ...new Set(pauses)]).toEqual([10_001, 250]);
});

test('a closing worker returns its jobs immediately', async () => {
  const enqueued = Promise.withResolvers<AttemptRef>();
  const handover = new JobHandover({
    recorder: { deferToOthers: async () => ({ type: null }), handBack: async () => true },
    queue: { ...noQueue, enqueueAgain: async (job) => enqueued.resolve(job) },
    packages: [],
    logger: silent as unknown as JobHandoverOptions['logger'],
  });
  await handover.handOver(ref, AbortSignal.abort());
  await expect(enqueued.promise).resolves.toEqual(ref);
});

test.each([
  ['returns to the head of the queue', true, [ref]],
  ['stays where it is if another worker has it', false, []],
])('an execution whose claim is reverted %s', async (_, handedBack, expected) => {
  const enqueued: AttemptRef[] = [];
  const handover = new JobHandover({
    recorder: { deferToOthers: async () => undefined, handBack: async () => handedBack },
    queue: { ...noQueue, returnToHead: async (_, jobs) => void enqueued.push(...jobs) },
    packages: [],
    logger: silent as unknown as JobHandoverOptions['logger'],
  });
  expect(await handover.handBack(ref)).toBe(handedBack);
  expect(enqueued).toEqual(expected);
});

test('an execution is handed over once the database is reachable again', async () => {
  let attempts = 0;
  const deferToOthers = async () => {
    attempts += 1;
    if (attempts === 1) throw new UnavailableError('away');
    return { type: null };
  };
  const { deliver, pauses } = aHandover({ recorder: { deferToOthers, handBack: async () => true } });
  await deliver(ref);
  expect([attempts, pauses]).toEqual([2, [250]]);
});
