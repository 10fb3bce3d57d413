import { expect, test } from '@jest/globals';
import { inTime } from './in-time.ts';

test('passes on the result of the work, or its failure', async () => {
  await expect(inTime(Promise.resolve(1), 60_000)).resolves.toBe(1);
  await expect(inTime(Promise.reject(new Error('broken')), 60_000)).rejects.toThrow('broken');
});

test('gives up on work that never ends', async () => {
  await expect(inTime(new Promise(() => undefined), 20)).rejects.toThrow('no response within 0.02 seconds');
});
