import { expect, test } from '@jest/globals';
import { whileOpening } from './while-opening.ts';

test('a signal that fires during opening aborts it with its reason', async () => {
  const controller = new AbortController();
  const reason = new Error('deactivated');
  const opening = whileOpening(controller.signal, (signal) => {
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  controller.abort(reason);
  await expect(opening).rejects.toBe(reason);
  await expect(whileOpening(controller.signal, async () => 'never')).rejects.toBe(reason);
});

test('an open resource does not end with the signal', async () => {
  const controller = new AbortController();
  const signal = await whileOpening(controller.signal, async (opened) => opened);
  controller.abort();
  expect(signal.aborted).toBe(false);
});
