import { describe, expect, test } from '@jest/globals';
import { durationOfBin, quantileBin } from './duration-bins.ts';

describe('duration bins', () => {
  test('a duration is within 5% of the value of its bin', () => {
    for (const ms of [20, 137, 1_000, 86_400_000]) {
      const bin = Math.ceil(Math.log(ms) / Math.log(1.1));
      expect(Math.abs(durationOfBin(bin) - ms) / ms).toBeLessThan(0.051);
    }
  });

  test('quantiles count from the shortest duration', () => {
    const counts = new Map([
      [30, 1],
      [10, 98],
      [20, 1],
    ]);
    expect([0.5, 0.98, 0.99, 1].map((quantile) => quantileBin(counts, quantile))).toEqual([10, 10, 20, 30]);
    expect(quantileBin(new Map(), 0.5)).toBeUndefined();
  });
});
