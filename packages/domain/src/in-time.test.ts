import { expect, test } from '@jest/globals';
import { inTime } from './in-time.ts';

test('gives what the work gives, also its failure', async () => {
  await expect(inTime(Promise.resolve(1), 60_000)).resolves.toBe(1);
  await expect(inTime(Promise.reject(new Error('broken')), 60_000)).rejects.toThrow('broken');
});

test('work that never ends is given up', async () => {
  await expect(inTime(new Promise(() => undefined), 20)).rejects.toThrow('no answer within 0.02 seconds');
});
