import { describe, expect, test } from '@jest/globals';
import { ExecutionNotifier } from './execution-notifier.ts';

describe('notifications about executions', () => {
  test('reach only the subscribers of their execution', async () => {
    const notifier = new ExecutionNotifier();
    const first = notifier.wait('1', 10_000);
    const second = notifier.wait('1', 10_000);
    const other = notifier.wait('2', 20);
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
    const wait = notifier.wait('1', 10_000, away.signal);
    away.abort();
    expect(await wait).toBe(false);
    expect(notifier.size).toBe(0);
  });

  test('a release ends all subscriptions, and immediately ends later subscriptions', async () => {
    const notifier = new ExecutionNotifier();
    const waits = [notifier.wait('1', 10_000), notifier.wait('2', 10_000)];
    notifier.releaseAll();
    expect(await Promise.all([...waits, notifier.wait('3', 10_000)])).toEqual([false, false, false]);
    expect(notifier.size).toBe(0);
  });

  test('an already aborted signal ends the subscription immediately', async () => {
    expect(await new ExecutionNotifier().wait('1', 10_000, AbortSignal.abort())).toBe(false);
  });
});
