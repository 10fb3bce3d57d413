import { expect, test } from '@jest/globals';
import type { AttemptRef } from '@sluice/db';
import { UnavailableError } from '@sluice/domain';
import { JobHandover, type JobHandoverOptions } from './job-handover.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
const ref = { executionId: '1', attempt: 1 };
const open = new AbortController().signal;

/**
 * A handover whose pauses end at once; options set which other workers have `type` and whether its
 * package has a reader.
 */
function aHandover(options: Partial<JobHandoverOptions> = {}) {
  const world = { left: { type: null as string | null } as { type: string | null } | undefined, isRead: false };
  const pauses: number[] = [];
  const moved: string[] = [];
  let handedOn = Promise.withResolvers<void>();
  const handover = new JobHandover({
    recorder: { deferToOthers: async () => world.left, handBack: async () => true },
    queue: {
      enqueueAgain: async () => handedOn.resolve(),
      async enqueueFor(name) {
        if (!world.isRead) return false;
        moved.push(name);
        handedOn.resolve();
        return true;
      },
    },
    packages: [],
    logger: silent as unknown as JobHandoverOptions['logger'],
    pause: async (ms) => void pauses.push(ms),
    ...options,
  });
  const come = async (job: AttemptRef) => {
    handedOn = Promise.withResolvers();
    await handover.handOver(job, open);
    if (world.left) await handedOn.promise;
  };
  return { world, pauses, moved, come };
}

async function comeTimes(times: number, come: (job: AttemptRef) => Promise<void>, job: AttemptRef = ref): Promise<void> {
  for (let time = 0; time < times; time += 1) await come(job);
}

test('a job that no worker can run is delivered again after pauses that double, up to four seconds', async () => {
  const { come, pauses } = aHandover();
  await comeTimes(7, come);
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
});

test('a job whose package this worker has in another version is also delivered again after pauses', async () => {
  const { come, pauses, world, moved } = aHandover({ packages: ['nodes-acme'] });
  Object.assign(world, { left: { type: 'nodes-acme.send@2' }, isRead: true });
  await comeTimes(3, come);
  expect({ pauses, moved }).toEqual({ pauses: [250, 500, 1_000], moved: [] });
});

test('each attempt of an execution has its own pauses', async () => {
  const { come, pauses } = aHandover();
  await comeTimes(3, come);
  await come({ ...ref, attempt: 2 });
  await come({ executionId: '2', attempt: 1 });
  expect(pauses).toEqual([250, 500, 1_000, 250, 250]);
});

test("a job moves to its package's queue without a pause once that has a reader; then its pauses are forgotten", async () => {
  const { come, pauses, world, moved } = aHandover();
  world.left = { type: 'nodes-acme.send' };
  await comeTimes(3, come);
  world.isRead = true;
  await come(ref);
  expect({ pauses, moved }).toEqual({ pauses: [250, 500, 1_000], moved: ['nodes-acme'] });
  world.isRead = false;
  await come(ref);
  expect(pauses.at(-1)).toBe(250);
});

test('the pauses of an obsolete job are forgotten', async () => {
  const { come, pauses, world } = aHandover();
  await comeTimes(3, come);
  world.left = undefined;
  await come(ref);
  world.left = { type: null };
  await come(ref);
  expect(pauses).toEqual([250, 500, 1_000, 250]);
});

test('a job after a burst of other jobs starts with the shortest pause', async () => {
  const { come, pauses } = aHandover();
  for (let id = 1; id <= 10_001; id += 1) await come({ executionId: String(id), attempt: 1 });
  expect([pauses.length, ...new Set(pauses)]).toEqual([10_001, 250]);
});

test('a closing worker returns its jobs at once', async () => {
  const enqueued = Promise.withResolvers<AttemptRef>();
  const handover = new JobHandover({
    recorder: { deferToOthers: async () => ({ type: null }), handBack: async () => true },
    queue: { enqueueAgain: async (job) => enqueued.resolve(job), enqueueFor: async () => false },
    packages: [],
    logger: silent as unknown as JobHandoverOptions['logger'],
  });
  await handover.handOver(ref, AbortSignal.abort());
  await expect(enqueued.promise).resolves.toEqual(ref);
});

test.each([
  ['returns to the queue', true, [ref]],
  ['stays where it is if it is no longer ours', false, []],
])('an execution whose claim is undone %s', async (_, handedBack, expected) => {
  const enqueued: AttemptRef[] = [];
  const handover = new JobHandover({
    recorder: { deferToOthers: async () => undefined, handBack: async () => handedBack },
    queue: { enqueueAgain: async (job) => void enqueued.push(job), enqueueFor: async () => false },
    packages: [],
    logger: silent as unknown as JobHandoverOptions['logger'],
  });
  await handover.handBack(ref);
  expect(enqueued).toEqual(expected);
});

test('an execution is passed on once the database can be reached again', async () => {
  let asked = 0;
  const deferToOthers = async () => {
    asked += 1;
    if (asked === 1) throw new UnavailableError('away');
    return { type: null };
  };
  const { come, pauses } = aHandover({ recorder: { deferToOthers, handBack: async () => true } });
  await come(ref);
  expect([asked, pauses]).toEqual([2, [250]]);
});
