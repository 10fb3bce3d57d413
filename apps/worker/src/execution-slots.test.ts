import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { ExecutionSlots } from './execution-slots.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

/**
 * A queue of endless jobs that delivers as many as it may at once; each job's execution is claimed at
 * once and runs until `end` is called.
 */
function aQueue(deliveries: number, limit: { current: number }) {
  const slots = new ExecutionSlots({ deliveries, limit: () => limit.current, logger });
  const ends: (() => void)[] = [];
  let unacknowledged = 0;
  let isPaused = false;
  const deliver = (): void => {
    while (!isPaused && unacknowledged < deliveries) {
      unacknowledged += 1;
      const run = async (claimed: () => void) => {
        claimed();
        await new Promise<void>((resolve) => ends.push(resolve));
      };
      void slots.take(run).then(() => {
        unacknowledged -= 1;
        deliver();
      });
    }
  };
  return {
    slots,
    deliver,
    pause: () => {
      isPaused = true;
    },
    end: (count: number) => {
      for (const end of ends.splice(0, count)) end();
    },
    unacknowledged: () => unacknowledged,
  };
}

/** Lets all callbacks run. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await turn();
}

test.each([
  [4, 4],
  [4, 10],
  [10, 10],
  [1, 30],
])('with %i deliveries at once, %i executions run, and never more', async (deliveries, max) => {
  const queue = aQueue(deliveries, { current: max });
  queue.deliver();
  await settle();
  expect(queue.slots.running).toBe(max);
  queue.end(3);
  await settle();
  expect(queue.slots.running).toBe(max);
});

test('a risen limit takes effect at once, although no execution ends', async () => {
  const limit = { current: 10 };
  const queue = aQueue(10, limit);
  queue.deliver();
  await settle();
  limit.current = 25;
  queue.slots.refresh();
  await settle();
  expect(queue.slots.running).toBe(25);
});

test('after the limit has fallen, ended executions are not replaced', async () => {
  const limit = { current: 25 };
  const queue = aQueue(10, limit);
  queue.deliver();
  await settle();
  limit.current = 12;
  queue.end(15);
  await settle();
  expect(queue.slots.running).toBe(12);
});

test('jobs are acknowledged while their executions run, and all of them when the worker closes', async () => {
  const queue = aQueue(4, { current: 6 });
  queue.deliver();
  await settle();
  expect(queue.unacknowledged()).toBe(4);
  queue.pause();
  const closed = queue.slots.close();
  await settle();
  expect(queue.unacknowledged()).toBe(0);
  queue.end(6);
  await closed;
  expect(queue.slots.running).toBe(0);
});

test('a job whose execution cannot be claimed is rejected, and its place is free again', async () => {
  const slots = new ExecutionSlots({ deliveries: 1, limit: () => 1, logger });
  await expect(slots.take(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  await expect(slots.take(async () => undefined)).resolves.toBeUndefined();
  expect(slots.running).toBe(0);
});
