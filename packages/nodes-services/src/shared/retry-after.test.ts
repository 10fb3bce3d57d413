import { expect, test } from '@jest/globals';
import { retryAfterMs } from './retry-after.ts';

const pauses = (status: number, headers = {}, refusal = {}) =>
  [1, 2, 3, 4].map((attempt) => retryAfterMs({ status, headers }, refusal, attempt));

test('without a requested pause, retries pause 15 seconds in total, because several services count requests per 10 seconds', () => {
  expect(pauses(429)).toEqual([1_000, 2_000, 4_000, 8_000]);
});

test.each([
  ['header', { 'retry-after': '2' }, {}, 2_000],
  ['header rather than the body', { 'retry-after': '2' }, { retryAfterMs: 5_000 }, 2_000],
  ['body', {}, { retryAfterMs: 5_000 }, 5_000],
])('the pause in the %s applies to every attempt', (_, headers, refusal, expected) => {
  expect(pauses(429, headers, refusal)).toEqual([expected, expected, expected, expected]);
});

test('a date in the header is the end of the pause', () => {
  const [pause] = pauses(503, { 'retry-after': new Date(Date.now() + 30_000).toUTCString() });
  expect(pause).toBeGreaterThan(28_000);
  expect(pause).toBeLessThanOrEqual(30_000);
});

test.each([503, 500, 400])('without a requested pause, the status %i is final', (status) => {
  expect(pauses(status)).toEqual([undefined, undefined, undefined, undefined]);
});
