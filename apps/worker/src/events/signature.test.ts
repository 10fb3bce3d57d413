import { expect, test } from '@jest/globals';
import { signedHeaders } from './signature.ts';

/** The example in the specification (standard-webhooks, spec/standard-webhooks.md). */
const example = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
};
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

test("signs as in the specification's example", () => {
  expect(signedHeaders(example, { secret })).toEqual({
    'webhook-id': example.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': signature,
  });
});

test('signs with the previous secret, too, until it expires', () => {
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const signaturesAt = (until: string) =>
    signedHeaders(example, { secret: other, previous: { secret, until } })['webhook-signature']?.split(' ');
  expect(signaturesAt('2021-02-26T00:00:00Z')).toEqual([expect.stringMatching(/^v1,/), signature]);
  expect(signaturesAt('2021-02-25T00:00:00Z')).toEqual([expect.not.stringContaining(signature)]);
});
