import { expect, test } from '@jest/globals';
import { deliveryPausesMs } from '@sluice/domain';
import { nextAttempt, signedHeaders } from './event-sender.ts';

const random = () => 0.5;

test('a 2xx response ends the delivery', () => {
  expect(nextAttempt({ status: 204 }, 1)).toEqual({ status: 'delivered' });
});

test.each([null, 301, 404, 500])('after %s, the delivery is retried with increasing pauses and then abandoned', (status) => {
  const outcomes = Array.from({ length: 10 }, (_, i) => nextAttempt({ status }, i + 1, { random }));
  expect(outcomes).toEqual([...deliveryPausesMs.map((pauseMs) => ({ status: 'pending', pauseMs })), { status: 'failed' }]);
});

test('a receiver can request a longer pause of at most an hour', () => {
  const pauseAfter = (retryAfter: string) => nextAttempt({ status: 429 }, 1, { retryAfter, random });
  expect(pauseAfter('60')).toEqual({ status: 'pending', pauseMs: 60_000 });
  expect(pauseAfter('1')).toEqual({ status: 'pending', pauseMs: 5_000 });
  expect(pauseAfter('999999')).toEqual({ status: 'pending', pauseMs: 3_600_000 });
  expect(pauseAfter('Wed, 21 Oct 2026 07:28:00 GMT')).toEqual({ status: 'pending', pauseMs: 5_000 });
});

test('410 ends the subscription', () => {
  expect(nextAttempt({ status: 410 }, 1)).toMatchObject({ status: 'failed', disable: expect.any(String) });
});

/** The example in the specification (standard-webhooks, spec/standard-webhooks.md). */
const example = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
};
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

test('the signature of the example in the specification is correct', () => {
  expect(signedHeaders(example, { secret })).toEqual({
    'webhook-id': example.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': signature,
  });
});

test('an event is also signed with the previous secret until that expires', () => {
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const signaturesAt = (until: string) =>
    signedHeaders(example, { secret: other, previous: { secret, until } })['webhook-signature']?.split(' ');
  expect(signaturesAt('2021-02-26T00:00:00Z')).toEqual([expect.stringMatching(/^v1,/), signature]);
  expect(signaturesAt('2021-02-25T00:00:00Z')).toEqual([expect.not.stringContaining(signature)]);
});
