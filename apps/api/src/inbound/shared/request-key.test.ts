import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { type KeyedRequest, messageKey, requestKey } from './request-key.ts';

const aCall = (more: Partial<KeyedRequest> = {}): KeyedRequest => ({
  method: 'POST',
  segments: ['o', '1'],
  headers: {},
  ...more,
});
const keyed = (headers: KeyedRequest['headers'] = {}, more: Partial<KeyedRequest> = {}) =>
  requestKey(aCall({ headers: { 'idempotency-key': '1', ...headers }, ...more }));
const byToken = (jwtPayload: JsonObject) =>
  keyed({ authorization: 'Bearer x' }, { proof: { secretHeader: 'authorization', jwtPayload } });
const bySecret = (secret: string) => keyed({ 'x-secret': secret }, { proof: { secretHeader: 'x-secret' } });

describe('a key', () => {
  test('counts for the same call again', () => {
    expect(keyed()).toBe(keyed());
    expect(keyed({ 'user-agent': 'another' })).toBe(keyed());
    expect(requestKey(aCall())).toBeUndefined();
  });

  test.each<[string, string | undefined]>([
    ['another key', keyed({ 'idempotency-key': '2' })],
    ['another method', keyed({}, { method: 'PUT' })],
    ['another parameter of the path', keyed({}, { segments: ['o', '2'] })],
    ['other parts of the path', keyed({}, { segments: ['o/1'] })],
    ['a secret that the node does not ask for', keyed({ authorization: 'Bearer of-alice' })],
    ['a verified secret', bySecret('a')],
    ['a token', byToken({ sub: 'alice' })],
  ])('is another one with %s', (_, key) => {
    expect(key).toMatch(/^call:[\w-]{43}$/);
    expect(key).not.toBe(keyed());
  });

  test('is that of one caller: tokens that say the same of them are of one, however often they are issued', () => {
    const alice = byToken({ sub: 'alice', tenant: 'a', iat: 1, exp: 2, nbf: 1, jti: 'x' });
    expect(byToken({ tenant: 'a', jti: 'y', sub: 'alice', iat: 3, exp: 4 })).toBe(alice);
    const others: JsonObject[] = [{ sub: 'bob', tenant: 'a' }, { sub: 'alice', tenant: 'b' }, { tenant: 'a' }];
    for (const other of others) expect(byToken(other)).not.toBe(alice);
    expect(bySecret('a')).not.toBe(bySecret('b'));
  });

  test.each(['', 'x'.repeat(256), 'ü'])('cannot be %j', (key) => {
    expect(() => keyed({ 'idempotency-key': key })).toThrow('not valid');
  });
});

test('a signed message is one, wherever it is sent', () => {
  expect(messageKey(aCall({ headers: { 'webhook-id': 'msg_1' } }), 'webhook-id')).toBe('call:msg_1');
  expect(messageKey(aCall(), 'webhook-id')).toBeUndefined();
});
