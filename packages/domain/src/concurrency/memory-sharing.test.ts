import { describe, expect, test } from '@jest/globals';
import { gatherBytes } from '../gathered-bytes.ts';
import { MemoryBudget } from './memory-budget.ts';
import { aBudget, isSettled, mib, never, retaining } from './testing/budget.ts';

describe('projects that share a budget', () => {
  const [flood, other] = [{ projectId: 'flood' }, { projectId: 'other' }];

  test('each get at most half of the budget, so that stalled data of one leaves memory for the others', async () => {
    const budget = aBudget();
    budget.open(never, other)[Symbol.dispose]();
    const stalled = Array.from({ length: 10 }, () => budget.open(never, flood));
    const waits = stalled.map((reservation) => reservation.receive(20 * mib));
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(2);
    expect(budget.waitingProjects).toEqual(new Set(['flood']));
    const large = budget.open(never, other);
    expect(large.reserve(50 * mib)).toBeUndefined();
    await new Promise(setImmediate);
    large[Symbol.dispose]();
    stalled[0]?.[Symbol.dispose]();
    expect(await Promise.all(waits.map((wait) => isSettled(wait)))).toEqual([true, true, true, ...Array(7).fill(false)]);
    for (const reservation of stalled) reservation[Symbol.dispose](); // otherwise, they give up during another test
  });

  test('two of them that stall leave memory for a third', async () => {
    const budget = aBudget();
    const stall = (projectId: string) => {
      const stalled = Array.from({ length: 10 }, () => budget.open(never, { projectId }));
      const received = stalled.filter((reservation) => reservation.receive(20 * mib) === undefined);
      return { stalled, received: received.length };
    };
    budget.open(never, other)[Symbol.dispose]();
    const [first, second] = [stall('flood'), stall('another')];
    expect([first.received, second.received]).toEqual([2, 1]);
    expect(budget.open(never, other).reserve(30 * mib)).toBeUndefined();
    for (const reservation of [...first.stalled, ...second.stalled]) reservation[Symbol.dispose]();
  });

  test('one reservation of a project may be larger than its threshold', () => {
    const budget = aBudget();
    budget.open(never, other);
    expect(budget.open(never, flood).reserve(90 * mib)).toBeUndefined();
  });

  test('a project beyond its threshold continues only while much memory is free; others continue while some is free', async () => {
    const budget = aBudget({ inUse: 0.45 });
    for (const project of [flood, flood]) budget.open(never, project).retain(45 * mib);
    using late = budget.open(never, flood);
    const waits = [late.reserve(30 * mib), budget.open(never, other).reserve(40 * mib)];
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await Promise.all(waits.map(isSettled))).toEqual([false, true]);
  });

  test('take turns to compute results', async () => {
    const budget = new MemoryBudget({ limit: 250 * mib, inUse: () => 1, left: () => 0 });
    const running = budget.open(never, flood);
    expect(running.reserveResult(32 * mib)).toBeUndefined();
    const order: string[] = [];
    const compute = async (project: { projectId: string }) => {
      const reservation = budget.open(never, project);
      await reservation.reserveResult(32 * mib);
      order.push(project.projectId);
      reservation.countResult(mib, 32 * mib);
      reservation.retain(mib);
    };
    const computing = [flood, flood, flood, other, other].map(compute);
    running[Symbol.dispose]();
    await Promise.all(computing);
    expect(order).toEqual(['flood', 'other', 'flood', 'other', 'flood']);
  });

  test('a result does not overtake waiting results', async () => {
    const budget = new MemoryBudget({ limit: 250 * mib, inUse: () => 1, left: () => 0 });
    const running = budget.open(never, flood);
    await running.reserveResult(32 * mib);
    const waits = budget.open(never, other).reserveResult(32 * mib);
    running.countResult(mib, 32 * mib);
    running.retain(mib);
    const late = budget.open(never, flood).reserveResult(32 * mib);
    expect([await isSettled(waits), await isSettled(late)]).toEqual([true, false]);
  });
});

describe('endless work', () => {
  test('counts data until its reader is done, not for as long as it lives', async () => {
    const reservation = aBudget().open(never, { isEndless: true });
    let most = 0;
    const source = async function* () {
      for (let chunk = 0; chunk < 20; chunk += 1) {
        most = Math.max(most, reservation.size);
        yield Buffer.alloc(mib);
      }
    };
    for (let body = 0; body < 3; body += 1) expect((await reservation.run(() => gatherBytes(source()))).length).toBe(20 * mib);
    expect(most).toBe(38 * mib);
    expect(reservation.size).toBe(0);
  });

  test('does not count computed results', () => {
    const reservation = aBudget().open(never, { isEndless: true });
    expect(reservation.reserveResult(32 * mib)).toBeUndefined();
    reservation.countResult(20 * mib, 0);
    reservation.countResult(0, 32 * mib);
    expect(reservation.size).toBe(0);
  });

  test('frees memory for others when it passes data on, even after a wait', async () => {
    const budget = aBudget();
    const other = retaining(budget, 90 * mib);
    const reservation = budget.open(never, { isEndless: true });
    const waits = reservation.receive(40 * mib);
    other[Symbol.dispose]();
    await waits;
    const turn = budget.open(never).reserve(90 * mib);
    expect(await isSettled(turn)).toBe(false);
    reservation.passOn(40 * mib);
    expect(await isSettled(turn)).toBe(true);
  });
});
