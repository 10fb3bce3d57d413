import { describe, expect, test } from '@jest/globals';
import { untilAborted } from './until-aborted.ts';

describe('untilAborted', () => {
  test('passes on the result of the work, or its failure', async () => {
    const { signal } = new AbortController();
    await expect(untilAborted(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(untilAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
  });

  test('rejects with the reason of a signal that fires first, or has already fired', async () => {
    const stop = new AbortController();
    const waiting = untilAborted(new Promise(() => undefined), stop.signal);
    stop.abort(new Error('canceled'));
    await expect(waiting).rejects.toThrow('canceled');
    await expect(untilAborted(Promise.resolve(1), stop.signal)).rejects.toThrow('canceled');
  });

  test('a failure after the abort is ignored', async () => {
    const stop = new AbortController();
    const { promise, reject } = Promise.withResolvers<never>();
    const waiting = untilAborted(promise, stop.signal);
    stop.abort(new Error('canceled'));
    await expect(waiting).rejects.toThrow('canceled');
    reject(new Error('too late')); // unhandled, it would end the process
    await new Promise((resolve) => setImmediate(resolve));
  });
});
