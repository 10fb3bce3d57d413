import { describe, expect, test } from '@jest/globals';
import { ExecutionNotifier } from './execution-notifier.ts';

const isNotified = async (...[notifier, ...args]: [ExecutionNotifier, ...Parameters<ExecutionNotifier['subscribe']>]) =>
  (await notifier.subscribe(...args).next) !== undefined;

describe('notifications about executions', () => {
  test('reach only the subscribers of their execution', async () => {
    const notifier = new ExecutionNotifier();
    const first = isNotified(notifier, '1', 10_000);
    const second = isNotified(notifier, '1', 10_000);
    const other = isNotified(notifier, '2', 20);
    notifier.notify(['1', '3']);
    expect(await Promise.all([first, second, other])).toEqual([true, true, false]);
    expect(notifier.size).toBe(0);
  });

  test('contain only the data of their own execution', async () => {
    const notifier = new ExecutionNotifier();
    const subscriptions = [notifier.subscribe('1', 10_000), notifier.subscribe('2', 10_000)];
    notifier.notify(['1', '2'], new Map([['2', '{}']]));
    expect(await Promise.all(subscriptions.map(({ next }) => next))).toEqual([{}, { data: '{}' }]);
  });

  test('do not reach a caller that has unsubscribed', async () => {
    const notifier = new ExecutionNotifier();
    const { next, unsubscribe } = notifier.subscribe('1', 10_000);
    unsubscribe();
    notifier.notify(['1']);
    expect(await next).toBeUndefined();
    expect(notifier.size).toBe(0);
  });

  test('an abort removes the subscription immediately', async () => {
    const notifier = new ExecutionNotifier();
    const away = new AbortController();
    const wait = isNotified(notifier, '1', 10_000, away.signal);
    away.abort();
    expect(await wait).toBe(false);
    expect(notifier.size).toBe(0);
  });

  test('a release ends all subscriptions, and immediately ends later subscriptions', async () => {
    const notifier = new ExecutionNotifier();
    const waits = [isNotified(notifier, '1', 10_000), isNotified(notifier, '2', 10_000)];
    notifier.releaseAll();
    expect(await Promise.all([...waits, isNotified(notifier, '3', 10_000)])).toEqual([false, false, false]);
    expect(notifier.size).toBe(0);
  });

  test('an already aborted signal ends the subscription immediately', async () => {
    expect(await isNotified(new ExecutionNotifier(), '1', 10_000, AbortSignal.abort())).toBe(false);
  });
});

describe('readUntil', () => {
  const signal = new AbortController().signal;

  test('reads again after each notification, even if it came during a read', async () => {
    const notifier = new ExecutionNotifier();
    let reads = 0;
    const read = async () => {
      reads += 1;
      if (reads < 3) notifier.notify(['1']);
      return reads === 3 ? { reads } : undefined;
    };
    expect(await notifier.readUntil('1', { timeoutMs: 10_000, signal }, read)).toEqual({ reads: 3 });
    expect(notifier.size).toBe(0);
  });

  test('reads at intervals without notifications, and a last time after the timeout', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return undefined;
    };
    expect(await new ExecutionNotifier().readUntil('1', { timeoutMs: 50, pollMs: 20, signal }, read)).toBeUndefined();
    expect(reads).toBeGreaterThanOrEqual(3);
  });

  test('ends after one read if it was released or aborted', async () => {
    const released = new ExecutionNotifier();
    released.releaseAll();
    const reads: string[] = [];
    const read = (of: string) => async () => void reads.push(of);
    await released.readUntil('1', { timeoutMs: 10_000, signal }, read('released') as () => Promise<undefined>);
    const aborted = { timeoutMs: 10_000, signal: AbortSignal.abort() };
    await new ExecutionNotifier().readUntil('1', aborted, read('aborted') as () => Promise<undefined>);
    expect(reads).toEqual(['released', 'aborted']);
  });
});
