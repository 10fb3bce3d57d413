import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { runForJson } from '../../testing/fake-context.ts';
import { totp } from './totp.ts';

const base32 = {
  SHA1: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  SHA256: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA',
};
const run = (secret: string, parameters: JsonObject = {}) =>
  runForJson(totp, { parameters, credentials: { totpApi: { secret, label: 'x' } } });

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('totp 1', () => {
  // RFC 6238, appendix B.
  test.each<[number, keyof typeof base32, string]>([
    [59, 'SHA1', '94287082'],
    [1_111_111_109, 'SHA1', '07081804'],
    [59, 'SHA256', '46119246'],
    [2_000_000_000, 'SHA256', '90698825'],
  ])('at %d s, the password with %s is %s', async (seconds, algorithm, token) => {
    jest.setSystemTime(seconds * 1000);
    const [item] = await run(base32[algorithm], { options: { algorithm, digits: 8 } });
    expect(item).toEqual({ token, secondsRemaining: 30 - (seconds % 30) });
  });

  test('a password has 6 digits and is valid for the period', async () => {
    jest.setSystemTime(65_000);
    const [item] = await run('BVDR SBXQ B2ZE L5HE', { options: { period: 60 } });
    expect(item).toEqual({ token: expect.stringMatching(/^\d{6}$/), secondsRemaining: 55 });
  });

  test.each([
    [30_000, 30],
    [30_001, 29],
    [59_000, 1],
    [59_001, 0],
  ])('at %d ms, %d whole seconds remain', async (now, secondsRemaining) => {
    jest.setSystemTime(now);
    expect(await run(base32.SHA1)).toMatchObject([{ secondsRemaining }]);
  });

  test('a secret that is not Base32 is refused', async () => {
    await expect(run('not base32!')).rejects.toThrow('not valid Base32');
  });

  test.each<JsonObject>([{ digits: 0 }, { digits: 99 }, { period: 0.5 }, { period: 0 }])('%j is refused', async (options) => {
    await expect(run(base32.SHA1, { options })).rejects.toThrow('must be a whole number');
  });
});
