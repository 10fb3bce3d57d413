import { expect, test } from '@jest/globals';
import { deliveryPausesMs } from '@sluice/domain';
import { nextAttempt } from './next-attempt.ts';

const random = () => 0.5;

test('a 2xx response ends the delivery', () => {
  expect(nextAttempt({ status: 204 }, 1)).toEqual({ status: 'delivered' });
});

test.each([null, 301, 404, 500])('after %s it is retried with increasing pauses, and then abandoned', (status) => {
  const outcomes = Array.from({ length: 10 }, (_, i) => nextAttempt({ status }, i + 1, { random }));
  expect(outcomes).toEqual([...deliveryPausesMs.map((pauseMs) => ({ status: 'pending', pauseMs })), { status: 'failed' }]);
});

test('a receiver can request a longer pause, at most an hour', () => {
  const pauseAfter = (retryAfter: string) => nextAttempt({ status: 429 }, 1, { retryAfter, random });
  expect(pauseAfter('60')).toEqual({ status: 'pending', pauseMs: 60_000 });
  expect(pauseAfter('1')).toEqual({ status: 'pending', pauseMs: 5_000 });
  expect(pauseAfter('999999')).toEqual({ status: 'pending', pauseMs: 3_600_000 });
  expect(pauseAfter('Wed, 21 Oct 2026 07:28:00 GMT')).toEqual({ status: 'pending', pauseMs: 5_000 });
});

test('410 ends the subscription', () => {
  expect(nextAttempt({ status: 410 }, 1)).toMatchObject({ status: 'failed', disable: expect.any(String) });
});
