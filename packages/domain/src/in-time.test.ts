import { expect, test } from '@jest/globals';
import { inTime } from './in-time.ts';

test('passes on the result of the work, or its failure', async () => {
  await expect(inTime(Promise.resolve(1), 60_000)).resolves.toBe(1);
  await expect(inTime(Promise.reject(new Error('broken')), 60_000)).rejects.toThrow('broken');
});

test('rejects if the work never ends', async () => {
  await expect(inTime(new Promise(() => undefined), 20)).rejects.toThrow('no response within 0.02 seconds');
});

test('does not count time in which the event loop is blocked', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => resolve('read late');
  const result = inTime(promise, 200);
  port2.postMessage('sent in time');
  const end = performance.now() + 300;
  while (performance.now() < end);
  await expect(result).resolves.toBe('read late');
  port1.close();
});
