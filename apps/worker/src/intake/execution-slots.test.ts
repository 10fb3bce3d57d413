import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { ExecutionSlots } from './execution-slots.ts';

/**
 * An endless queue of jobs with `size` executions each, which delivers as many jobs as allowed. An
 * execution runs until `end` is called.
 */
function aQueue(deliveries: number, limit: { current: number }, size = 1) {
  const slots = new ExecutionSlots({ deliveries, limit: () => limit.current });
  let unacknowledged = 0;
  let isPaused = false;
  const deliver = (): void => {
    while (!isPaused && unacknowledged < deliveries) {
      unacknowledged += 1;
      slots.occupy(size);
      void slots.acknowledge().then(() => {
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
      for (let i = 0; i < count; i += 1) slots.free();
    },
    unacknowledged: () => unacknowledged,
  };
}

/** Lets all callbacks run. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await nextTurn();
}

test.each([
  [4, 4, 1],
  [4, 10, 1],
  [10, 10, 1],
  [1, 30, 1],
  [4, 10, 3],
  [8, 100, 32],
  [1, 1, 32],
])('with %i concurrent deliveries, exactly %i executions run, from jobs of %i executions', async (deliveries, max, size) => {
  const queue = aQueue(deliveries, { current: max }, size);
  queue.deliver();
  await settle();
  expect(queue.slots.occupied).toBe(max);
  queue.end(1);
  await settle();
  expect(queue.slots.occupied).toBe(max);
});

test('slots that are freed together are assigned to one job', async () => {
  const slots = new ExecutionSlots({ deliveries: 1, limit: () => 10 });
  slots.occupy(10);
  const more = slots.occupyMore(8, 1_000);
  for (let i = 0; i < 5; i += 1) slots.free();
  expect(await more).toBe(5);
});

test('a job leaves one slot for each other delivery', () => {
  const slots = new ExecutionSlots({ deliveries: 4, limit: () => 10 });
  expect([slots.occupy(32), slots.occupy(1), slots.occupy(32), slots.occupy(32)]).toEqual([7, 1, 1, 1]);
});

test('a raised limit takes effect immediately, even if no execution ends', async () => {
  const limit = { current: 10 };
  const queue = aQueue(10, limit);
  queue.deliver();
  await settle();
  limit.current = 25;
  queue.slots.refresh();
  await settle();
  expect(queue.slots.occupied).toBe(25);
});

test('ended executions are not replaced after the limit is lowered', async () => {
  const limit = { current: 25 };
  const queue = aQueue(10, limit);
  queue.deliver();
  await settle();
  limit.current = 12;
  queue.end(15);
  await settle();
  expect(queue.slots.occupied).toBe(12);
});

test('jobs are acknowledged while their executions run, or when the worker closes', async () => {
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
  expect(queue.slots.occupied).toBe(0);
});

test('a dropped job frees its slot for another', async () => {
  const slots = new ExecutionSlots({ deliveries: 1, limit: () => 1 });
  slots.occupy(1);
  slots.drop();
  slots.free();
  slots.occupy(1);
  slots.free();
  await slots.acknowledge();
  expect(slots.occupied).toBe(0);
});

test('a slot may take another execution unless a job waits for a slot or the worker closes', async () => {
  const slots = new ExecutionSlots({ deliveries: 1, limit: () => 2 });
  slots.occupy(1);
  await slots.acknowledge();
  expect(slots.mayContinue).toBe(true);
  slots.occupy(1);
  void slots.acknowledge();
  expect(slots.mayContinue).toBe(false);
  slots.free();
  await settle();
  expect(slots.mayContinue).toBe(true);
  const closed = slots.close();
  expect(slots.mayContinue).toBe(false);
  slots.free();
  await closed;
});

test('a slot takes no other execution after the limit is lowered below the number of slots', async () => {
  const limit = { current: 4 };
  const slots = new ExecutionSlots({ deliveries: 1, limit: () => limit.current });
  for (let i = 0; i < 3; i += 1) {
    slots.occupy(1);
    await slots.acknowledge();
  }
  expect(slots.mayContinue).toBe(true);
  limit.current = 2;
  expect(slots.mayContinue).toBe(false);
  slots.free();
  expect(slots.mayContinue).toBe(true);
});

describe('the rest of a job', () => {
  test('gets slots as soon as some are free, before other jobs are acknowledged', async () => {
    const slots = new ExecutionSlots({ deliveries: 1, limit: () => 2 });
    expect(slots.occupy(5)).toBe(2);
    const more = slots.occupyMore(3, 10_000);
    expect(slots.isFull).toBe(true);
    slots.free();
    expect(await more).toBe(1);
    expect([slots.occupied, slots.isFull]).toEqual([2, false]);
  });

  test('gets no slots after its timeout, or when the worker closes', async () => {
    const slots = new ExecutionSlots({ deliveries: 1, limit: () => 1 });
    slots.occupy(2);
    expect(await slots.occupyMore(1, 1)).toBe(0);
    const more = slots.occupyMore(1, 10_000);
    const closed = slots.close();
    expect(await more).toBe(0);
    slots.free();
    await closed;
  });
});
