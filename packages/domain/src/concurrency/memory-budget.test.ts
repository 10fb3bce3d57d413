import { setTimeout as delay } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { gatherBytes } from '../gathered-bytes.ts';
import { itemCount, MemoryBudget, memoryInUse } from './memory-budget.ts';
import { currentMemory, type MemoryReservation } from './memory-reservation.ts';
import { aBudget, isSettled, mib, never, retaining } from './testing/budget.ts';

test('executions with little data never wait', () => {
  const budget = aBudget();
  retaining(budget, 200 * mib);
  const reservation = retaining(budget, 1000);
  expect(reservation.reserve()).toBeUndefined();
  expect(budget.isExceeded).toBe(false);
});

test('buffers count as memory in use', () => {
  const before = memoryInUse();
  const buffer = Buffer.alloc(400 * mib);
  expect(memoryInUse() - before).toBeGreaterThan((350 * mib) / getHeapStatistics().heap_size_limit);
  expect(buffer).toHaveLength(400 * mib);
});

describe('beyond the budget', () => {
  test('an execution waits until another one ends', async () => {
    const budget = aBudget();
    const older = retaining(budget, 60 * mib);
    const younger = retaining(budget, 30 * mib);
    const turn = younger.reserve();
    expect(await isSettled(turn)).toBe(false);
    expect(budget.isExceeded).toBe(true);
    older[Symbol.dispose]();
    expect(await isSettled(turn)).toBe(true);
    expect(budget.isExceeded).toBe(false);
  });

  test('the oldest one continues if all others wait', async () => {
    const budget = aBudget();
    const [oldest, younger] = [retaining(budget, 60 * mib), retaining(budget, 30 * mib)];
    const waits = younger.reserve();
    expect(await isSettled(oldest.reserve())).toBe(true);
    expect(await isSettled(waits)).toBe(false);
  });

  test('one that is larger than the budget runs alone', async () => {
    const budget = aBudget();
    expect(await isSettled(budget.open(never).reserve(500 * mib))).toBe(true);
  });

  test('the oldest waiting one continues while the process has memory', async () => {
    const budget = aBudget({ inUse: 0.1 });
    retaining(budget, 90 * mib);
    await budget.open(never).reserve(50 * mib);
    expect(budget.isExceeded).toBe(false);
  });

  test('an execution that waits twice at the same time resumes both', async () => {
    const budget = aBudget();
    const older = retaining(budget, 90 * mib);
    const younger = budget.open(never);
    const turns = [younger.reserve(60 * mib), younger.reserve(20 * mib)];
    older[Symbol.dispose]();
    expect(await Promise.all(turns.map(isSettled))).toEqual([true, true]);
    expect(younger.size).toBe(60 * mib);
  });

  test('an execution waits until another one reserves less', async () => {
    const budget = aBudget();
    const older = budget.open(never);
    await older.reserve(90 * mib);
    const turn = budget.open(never).reserve(50 * mib);
    expect(await isSettled(turn)).toBe(false);
    older.reserveOnly(40 * mib);
    expect(await isSettled(turn)).toBe(true);
  });

  test('an execution’s signal ends its wait', async () => {
    const budget = aBudget();
    retaining(budget, 90 * mib);
    const controller = new AbortController();
    const turn = budget.open(controller.signal).reserve(50 * mib);
    controller.abort(new Error('stopped'));
    await expect(turn).rejects.toThrow('stopped');
  });
});

test('memory that is reserved for an execution is not given to others', async () => {
  const budget = aBudget();
  const first = budget.open(never);
  expect(first.reserve(80 * mib)).toBeUndefined();
  first.retain(10 * mib);
  const second = budget.open(never);
  const waits = second.reserve(30 * mib);
  expect(await isSettled(waits)).toBe(false);
  expect(first.reserve()).toBeUndefined();
  first[Symbol.dispose]();
  expect(await isSettled(waits)).toBe(true);
});

describe('data that arrives', () => {
  afterEach(() => void jest.useRealTimers());

  test('waits for memory, and waits no more once another execution has ended', async () => {
    const budget = aBudget();
    const [first, second] = [budget.open(never), budget.open(never)];
    expect(first.receive(60 * mib)).toBeUndefined();
    expect(second.receive(30 * mib)).toBeUndefined();
    const waits = second.receive(20 * mib);
    expect(await isSettled(waits)).toBe(false);
    expect(second.size).toBe(30 * mib);
    first[Symbol.dispose]();
    expect(await isSettled(waits)).toBe(true);
    expect(second.size).toBeGreaterThanOrEqual(50 * mib);
  });

  test('never waits if it is little', async () => {
    const budget = aBudget();
    retaining(budget, 200 * mib);
    const reservation = budget.open(never);
    for (let chunk = 0; chunk < 16; chunk += 1) expect(reservation.receive(mib / 16)).toBeUndefined();
    const waits = reservation.receive(1);
    expect(await isSettled(waits)).toBe(false);
    reservation[Symbol.dispose]();
    await waits;
  });

  test('waits no longer than its execution', async () => {
    const budget = aBudget();
    retaining(budget, 99 * mib);
    const reservation = budget.open(never);
    const waits = reservation.receive(20 * mib);
    reservation[Symbol.dispose]();
    expect(await isSettled(waits)).toBe(true);
    expect(budget.isExceeded).toBe(false);
  });

  test('of executions that all wait, the oldest receives all of its data, then the next one', async () => {
    const budget = aBudget();
    const reservations = Array.from({ length: 4 }, () => budget.open(never));
    const ended: number[] = [];
    const reading = reservations.map(async (reservation, index) => {
      for (let chunk = 0; chunk < 70; chunk += 1) {
        await reservation.receive(mib);
        await new Promise(setImmediate);
        const sizes = reservations.map(({ size }, other) => (ended.includes(other) ? 0 : size));
        expect(sizes.reduce((total, size) => total + size)).toBeLessThanOrEqual((100 + 75) * mib);
      }
      ended.push(index);
      reservation[Symbol.dispose]();
    });
    await Promise.all(reading);
    expect(ended).toEqual([0, 1, 2, 3]);
  });

  test('is no longer counted once the next node starts', async () => {
    const reservation = aBudget().open(never);
    await reservation.receive(90 * mib);
    reservation.retain(2 * mib);
    expect(reservation.startNode()).toBeUndefined();
    expect(reservation.size).toBe(4 * mib); // its output, and a reservation for the next one
  });

  test('fails after three minutes without memory', async () => {
    jest.useFakeTimers();
    const budget = aBudget();
    retaining(budget, 99 * mib);
    const reservation = budget.open(never);
    const waits = reservation.receive(20 * mib);
    const failed = expect(waits).rejects.toMatchObject({ code: 'MEMORY_UNAVAILABLE', retryable: true });
    await jest.advanceTimersByTimeAsync(180_000);
    await failed;
    expect(budget.isExceeded).toBe(false);
  });

  test('is read from a stream only as there is memory for it', async () => {
    const budget = aBudget();
    const other = retaining(budget, 90 * mib);
    let sent = 0;
    const source = async function* () {
      for (; sent < 64; sent += 1) yield Buffer.alloc(mib);
    };
    const reading = budget.open(never).run(() => gatherBytes(source()));
    await new Promise(setImmediate);
    expect(sent).toBeLessThan(6);
    other[Symbol.dispose]();
    expect((await reading).length).toBe(64 * mib);
  });

  test('is not counted outside of executions, or after the end of one', () => {
    expect(currentMemory()).toBeUndefined();
    const budget = aBudget();
    retaining(budget, 99 * mib);
    const reservation = budget.open(never);
    reservation[Symbol.dispose]();
    expect(reservation.receive(20 * mib)).toBeUndefined();
  });
});

test('data that an execution reads counts until the node run ends, even if its reader is done', () => {
  const reservation = aBudget().open(never);
  reservation.count(10 * mib);
  reservation.passOn(10 * mib);
  expect(reservation.size).toBe(10 * mib);
});

test('a large result waits until memory is free', async () => {
  const budget = aBudget();
  const other = retaining(budget, 90 * mib);
  const reservation = budget.open(never);
  expect(budget.open(never).reserveResult(5 * mib)).toBeUndefined();
  const waits = reservation.reserveResult(32 * mib);
  expect(await isSettled(waits)).toBe(false);
  other[Symbol.dispose]();
  expect(await isSettled(waits)).toBe(true);
  expect(reservation.reserveResult(32 * mib)).toBeUndefined();
  expect(reservation.size).toBe(32 * mib);
  reservation.countResult(3 * mib, 32 * mib);
  expect(reservation.size).toBe(3 * mib);
});

test('memory for a result that is not computed after a wait is free for others', async () => {
  const budget = new MemoryBudget({ limit: 250 * mib, inUse: () => 1, left: () => 0 });
  const [first, second, third] = [budget.open(never), budget.open(never, { isEndless: true }), budget.open(never)];
  expect(first.reserveResult(32 * mib)).toBeUndefined();
  const waits = second.reserveResult(32 * mib);
  first[Symbol.dispose]();
  await waits;
  const later = third.reserveResult(32 * mib);
  expect(await isSettled(later)).toBe(false);
  second.forgoResult();
  expect(await isSettled(later)).toBe(true);
  second.forgoResult();
  expect(second.size).toBe(0);
});

test('one result is always computed, however little memory is left', async () => {
  const budget = new MemoryBudget({ limit: 250 * mib, inUse: () => 1, left: () => 0 });
  const [first, second] = [budget.open(never), budget.open(never)];
  expect(first.reserveResult(32 * mib)).toBeUndefined();
  const waits = second.reserveResult(32 * mib);
  expect(await isSettled(waits)).toBe(false);
  first.countResult(1 * mib, 32 * mib);
  expect(await isSettled(waits)).toBe(false);
  first.retain(1 * mib);
  first[Symbol.dispose]();
  expect(await isSettled(waits)).toBe(true);
});

test('nodes that compute several results wait neither for their own earlier results nor for each other’s', async () => {
  const budget = new MemoryBudget({ limit: 250 * mib, inUse: () => 1, left: () => 0 });
  const reservations = [budget.open(never), budget.open(never), budget.open(never)];
  let [computing, most] = [0, 0];
  const compute = async (reservation: MemoryReservation) => {
    for (let result = 0; result < 3; result += 1) {
      for (let wait = reservation.reserveResult(32 * mib); wait; wait = reservation.reserveResult(32 * mib)) await wait;
      computing += 1;
      most = Math.max(most, computing);
      await new Promise(setImmediate);
      computing -= 1;
      reservation.countResult(20 * mib, 32 * mib);
    }
  };
  const done = Promise.all(
    reservations.map((reservation) => compute(reservation).finally(() => reservation[Symbol.dispose]())),
  );
  await Promise.race([
    done,
    delay(1_000, undefined, { ref: false }).then(() => Promise.reject(new Error('they wait for each other'))),
  ]);
  expect(most).toBe(1);
});

test('the items of all outputs count', () => {
  const items = [{ json: {} }, { json: {} }];
  expect(itemCount({ data: { main: [items, null], ai_tool: [[{ json: {} }]] } })).toBe(3);
  expect(itemCount({})).toBe(0);
});
