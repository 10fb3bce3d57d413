import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { messageKey, requestKey, visibleHead } from './inbound-request.ts';
import type { CredentialProof } from './request-authenticator.ts';

type Keyed = Parameters<typeof requestKey>[0];

const aRequest = (more: Partial<Keyed> = {}): Keyed => ({ method: 'POST', segments: ['o', '1'], headers: {}, ...more });
const keyed = (headers: Keyed['headers'] = {}, more: Partial<Keyed> = {}, proof?: CredentialProof) =>
  requestKey(aRequest({ headers: { 'idempotency-key': '1', ...headers }, ...more }), proof);
const byToken = (jwtPayload: JsonObject) =>
  keyed({ authorization: 'Bearer x' }, {}, { secretHeader: 'authorization', jwtPayload });
const bySecret = (secret: string) => keyed({ 'x-secret': secret }, {}, { secretHeader: 'x-secret' });

describe('the key of a request', () => {
  test('is the same for a repeated request', () => {
    expect(keyed()).toBe(keyed());
    expect(keyed({ 'user-agent': 'another' })).toBe(keyed());
    expect(requestKey(aRequest())).toBeUndefined();
  });

  test.each<[string, string | undefined]>([
    ['another key', keyed({ 'idempotency-key': '2' })],
    ['another method', keyed({}, { method: 'PUT' })],
    ['another path parameter', keyed({}, { segments: ['o', '2'] })],
    ['other path segments', keyed({}, { segments: ['o/1'] })],
    ['a secret that the node does not require', keyed({ authorization: 'Bearer of-alice' })],
    ['a verified secret', bySecret('a')],
    ['a token', byToken({ sub: 'alice' })],
  ])('differs with %s', (_, key) => {
    expect(key).toMatch(/^call:[\w-]{43}$/);
    expect(key).not.toBe(keyed());
  });

  test('is the same for tokens with the same claims, whenever they were issued', () => {
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

test('the key of a signed message does not depend on the URL', () => {
  expect(messageKey(aRequest({ headers: { 'webhook-id': 'msg_1' } }), 'webhook-id')).toBe('call:msg_1');
  expect(messageKey(aRequest(), 'webhook-id')).toBeUndefined();
});

test('a password that a browser sends by itself is hidden from the workflow', () => {
  const authorization = 'Basic YWRhOnNlY3JldA==';
  const browser = { 'sec-fetch-site': 'none' };
  const seen = (headers: Record<string, string>) => visibleHead(headers, undefined).headers['authorization'];
  expect(seen({ authorization, ...browser })).toBe('***REDACTED***');
  expect(seen({ authorization: 'basic YTpi', ...browser })).toBe('***REDACTED***');
  expect(visibleHead({ authorization, ...browser }, { secretHeader: 'x-token' }).headers['authorization']).toBe(
    '***REDACTED***',
  );
  expect(seen({ authorization })).toBe(authorization);
  expect(seen({ authorization: 'Bearer basic', ...browser })).toBe('Bearer basic');
  expect(seen(browser)).toBeUndefined();
});
