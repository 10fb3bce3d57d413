import { describe, expect, test } from '@jest/globals';
import { EndedWaiter } from './ended-waiter.ts';

describe('waiting for executions to end', () => {
  test('each caller that waits for an execution is woken, others are not', async () => {
    const waiter = new EndedWaiter();
    const first = waiter.wait('1', 10_000);
    const second = waiter.wait('1', 10_000);
    const other = waiter.wait('2', 20);
    waiter.notify(['1', '3']);
    expect(await Promise.all([first, second, other])).toEqual([true, true, false]);
    expect(waiter.size).toBe(0);
  });

  test('a caller hears what is told of its execution, and of no other', async () => {
    const waiter = new EndedWaiter();
    const listening = [waiter.listen('1', 10_000), waiter.listen('2', 10_000)];
    waiter.notify(['1', '2'], new Map([['2', '{}']]));
    expect(await Promise.all(listening.map(({ heard }) => heard))).toEqual([{}, { told: '{}' }]);
  });

  test('a caller that stops hears nothing more, and is forgotten', async () => {
    const waiter = new EndedWaiter();
    const { heard, stop } = waiter.listen('1', 10_000);
    stop();
    waiter.notify(['1']);
    expect(await heard).toBeUndefined();
    expect(waiter.size).toBe(0);
  });

  test('a caller that goes away is forgotten at once', async () => {
    const waiter = new EndedWaiter();
    const away = new AbortController();
    const wait = waiter.wait('1', 10_000, away.signal);
    away.abort();
    expect(await wait).toBe(false);
    expect(waiter.size).toBe(0);
  });

  test('a stop ends the waits of all, and those that come later', async () => {
    const waiter = new EndedWaiter();
    const waits = [waiter.wait('1', 10_000), waiter.wait('2', 10_000)];
    waiter.releaseAll();
    expect(await Promise.all([...waits, waiter.wait('3', 10_000)])).toEqual([false, false, false]);
    expect(waiter.size).toBe(0);
  });

  test('a signal that has fired before ends the wait at once', async () => {
    expect(await new EndedWaiter().wait('1', 10_000, AbortSignal.abort())).toBe(false);
  });
});
