import { expect, test } from '@jest/globals';
import { untilNextTick } from './filter.ts';

const now = Date.UTC(2026, 0, 1);
const at = (ms: number) => ({ nextRunAt: new Date(now + ms).toISOString() });

test('a row’s triggers are read again after their next tick, but 30 s to two minutes after the last read', () => {
  expect(untilNextTick([at(90_000), at(60_000), { nextRunAt: null }], now)).toBe(62_000);
  expect(untilNextTick([at(-5_000)], now)).toBe(30_000);
  expect(untilNextTick([at(3_600_000)], now)).toBe(120_000);
  expect(untilNextTick([], now)).toBe(120_000);
});
