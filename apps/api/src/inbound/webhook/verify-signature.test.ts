import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { signatureRule } from '@sluice/nodes-base/credentials';
import { verifySignature } from './verify-signature.ts';

const isSigned = (...args: Parameters<typeof verifySignature>) => verifySignature(...args) !== undefined;

const now = 1_700_000_000_000;
const timestamp = '1700000000';
const body = Buffer.from('{"a":1}');

describe('Standard Webhooks', () => {
  const key = Buffer.from('a key of the tests');
  const rule = signatureRule({ scheme: 'standard', secret: `whsec_${key.toString('base64')}` });
  const sign = (id: string, at: string, secret = key) =>
    `v1,${createHmac('sha256', secret).update(`${id}.${at}.`).update(body).digest('base64')}`;
  const headers = (changes: Record<string, string | undefined> = {}) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': sign('msg_1', timestamp),
    ...changes,
  });

  test('the published example passes', () => {
    const published = signatureRule({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
    const signed = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    expect(isSigned(published, signed, Buffer.from('{"test": 2432232314}'), 1_614_265_330_000)).toBe(true);
  });

  test('one valid signature among several is enough', () => {
    const both = `${sign('msg_1', timestamp, Buffer.from('old'))} v2,x ${sign('msg_1', timestamp)}`;
    expect(isSigned(rule, headers({ 'webhook-signature': both }), body, now)).toBe(true);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['another key', { 'webhook-signature': sign('msg_1', timestamp, Buffer.from('x')) }],
    ['another ID', { 'webhook-id': 'msg_2' }],
    ['no signature', { 'webhook-signature': undefined }],
    ['an empty signature', { 'webhook-signature': 'v1,' }],
    ['no ID', { 'webhook-id': undefined }],
    ['no timestamp', { 'webhook-timestamp': undefined }],
    ['an invalid timestamp', { 'webhook-timestamp': 'now' }],
  ])('%s is rejected', (_, changes) => {
    expect(isSigned(rule, headers(changes), body, now)).toBe(false);
  });

  test.each([
    [299_000, true],
    [-299_000, true],
    [301_000, false],
    [-301_000, false],
  ])('a signature that is %d ms old is valid: %s', (lateMs, passes) => {
    expect(isSigned(rule, headers(), body, now + lateMs)).toBe(passes);
  });

  test('another body is rejected', () => {
    expect(isSigned(rule, headers(), Buffer.from('{"a":2}'), now)).toBe(false);
  });
});

describe('a custom HMAC', () => {
  const hex = (text: string, algorithm = 'sha256') => createHmac(algorithm, 'secret').update(text).digest('hex');

  test.each<[string, JsonObject, Record<string, string>]>([
    ['of GitHub', { prefix: 'sha256=' }, { 'x-hub-signature-256': `sha256=${hex('{"a":1}')}` }],
    [
      'of Slack',
      {
        header: 'X-Slack-Signature',
        prefix: 'v0=',
        timestampHeader: 'X-Slack-Request-Timestamp',
        signedContent: 'v0:{timestamp}:{body}',
      },
      { 'x-slack-signature': `v0=${hex(`v0:${timestamp}:{"a":1}`)}`, 'x-slack-request-timestamp': timestamp },
    ],
    ['with SHA-1', { header: 'X-S', algorithm: 'sha1' }, { 'x-s': hex('{"a":1}', 'sha1') }],
    [
      'in base64',
      { header: 'X-S', encoding: 'base64' },
      { 'x-s': createHmac('sha256', 'secret').update('{"a":1}').digest('base64') },
    ],
  ])('%s is valid only for the signed body', (_, data, headers) => {
    const rule = signatureRule({ scheme: 'custom', secret: 'secret', ...data });
    expect(isSigned(rule, headers, body, now)).toBe(true);
    expect(isSigned(rule, headers, Buffer.from('{}'), now)).toBe(false);
  });

  test('a truncated or extended signature is rejected', () => {
    const rule = signatureRule({ scheme: 'custom', secret: 'secret', header: 'x-s' });
    const digest = hex('{"a":1}');
    for (const invalid of [digest.slice(0, -2), `${digest}00`, `${digest}zz`, ''])
      expect(isSigned(rule, { 'x-s': invalid }, body, now)).toBe(false);
  });

  test.each<[JsonObject]>([
    [{ signedContent: 'a constant' }],
    [{ signedContent: '{body}{body}' }],
    [{ timestampHeader: 'X-T' }],
    [{ signedContent: '{timestamp}.{body}' }],
    [{ secret: '' }],
    [{ algorithm: 'md5' }],
    [{ toleranceSeconds: -1 }],
  ])('%j is not a valid rule', (data) => {
    expect(() => signatureRule({ scheme: 'custom', secret: 'secret', ...data })).toThrow();
  });
});
