import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { defineCredentialType, type NodeProperty } from '@sluice/node-sdk';
import { redactedText } from '@sluice/vault';
import { carrySecrets } from './carry-secrets.ts';

const field = (name: string, typeOptions: JsonObject = {}, initial = ''): NodeProperty => ({
  displayName: name,
  name,
  type: 'string',
  default: initial,
  typeOptions,
});
const secret = { password: true };
const type = defineCredentialType({
  name: 'acmeApi',
  displayName: 'Acme',
  properties: [
    field('user', { keepsSecrets: true }),
    field('host', {}, 'public.example'),
    field('testUrl'),
    field('password', secret),
    field('connection', secret),
    field('fingerprint', { pinsDestination: true }),
    field('ca', { ...secret, pinsDestination: true }),
    { ...field('trustedKey', { pinsDestination: true }), type: 'hidden', default: {} },
    { ...field('oauthTokenData', secret), type: 'hidden', default: {} },
  ],
  authenticate: { basic: { user: '{user}', password: '{password}' } },
});
const stored = { user: 'ann', host: 'a.example', password: 'p', oauthTokenData: { access_token: 't' } };
const redacted = { user: 'ann', host: 'a.example', password: redactedText, oauthTokenData: redactedText };

const carry = (sent: JsonObject, partial = false, before: JsonObject = stored) =>
  carrySecrets(type, { stored: before, sent, partial, path: '/data' });
const refusal = (sent: JsonObject, partial = false, before: JsonObject = stored) => {
  try {
    carry(sent, partial, before);
  } catch (error) {
    return (error as { details: { path: string }[] }).details.map(({ path }) => path);
  }
  return [];
};

describe('a stored secret', () => {
  test('is kept by its placeholder while its destination is unchanged', () => {
    expect({ ...carry(redacted) }).toEqual(stored);
    expect({ ...carry({ ...redacted, user: 'bob' }) }).toEqual({ ...stored, user: 'bob' });
    expect({ ...carry({ user: 'bob' }, true) }).toEqual({ ...stored, user: 'bob' });
    expect({ ...carry({}, true) }).toEqual(stored);
  });

  test.each<[string, JsonObject]>([
    ['another host', { host: 'evil.example' }],
    ['the default host', { host: '' }],
    ['a test URL', { testUrl: 'https://evil.example' }],
    ['any host in place of some', { allowedHttpRequestDomains: 'all', allowedDomains: '' }],
    ['more hosts', { allowedDomains: 'a.example, evil.example' }],
    ['a field that the type does not know', { proxy: 'evil.example' }],
    ['a secret that contains an address', { connection: 'acme://evil.example' }],
  ])('is not kept for %s, and the error names the fields to send again', (_, change) => {
    const restricted = { ...stored, allowedHttpRequestDomains: 'domains', allowedDomains: 'a.example' };
    const sent = { ...redacted, allowedHttpRequestDomains: 'domains', allowedDomains: 'a.example', ...change };
    expect(refusal(sent, false, restricted)).toEqual(['/data/password']);
    expect(refusal(change, true, restricted)).toEqual(['/data/password']);
  });

  test('that is sent again is used for the new destination, and the old destination’s tokens are dropped', () => {
    const sent = { ...redacted, host: 'b.example', password: 'p' };
    expect(carry(sent)).toEqual({ user: 'ann', host: 'b.example', password: 'p' });
    expect(carry({ host: 'b.example', password: 'p' }, true)).toEqual({ user: 'ann', host: 'b.example', password: 'p' });
  });

  test('is kept if its hosts are restricted, or a field that named a destination is cleared', () => {
    const restriction = { allowedHttpRequestDomains: 'domains', allowedDomains: 'a.example' };
    expect({ ...carry({ ...redacted, ...restriction }) }).toEqual({ ...stored, ...restriction });
    expect({ ...carry(redacted, false, { ...stored, testUrl: 'https://a.example' }) }).toEqual(stored);
  });

  test('is kept if another secret without an address changes', () => {
    expect({ ...carry({ ...redacted, connection: 'new' }) }).toEqual({ ...stored, connection: 'new' });
  });

  test.each<[string, JsonObject]>([
    ['another pin', { fingerprint: 'SHA256:b' }],
    ['no pin', { fingerprint: '' }],
    ['another authority', { ca: 'theirs' }],
    ['no authority', { ca: '' }],
    ['another key than the service found', { trustedKey: { key: 'b' } }],
  ])('is not kept for %s', (_, change) => {
    const pins = { fingerprint: 'SHA256:a', ca: 'ours', trustedKey: { key: 'a' } };
    const sent = { ...redacted, ...pins, ca: redactedText, ...change };
    expect(refusal(sent, false, { ...stored, ...pins })).toContain('/data/password');
    expect(refusal(change, true, { ...stored, ...pins })).toContain('/data/password');
  });

  test('is not compared with data that exceeds the size limits', () => {
    const restricted = { ...stored, allowedHttpRequestDomains: 'domains', allowedDomains: 'a.example' };
    expect(refusal({ ...redacted, allowedDomains: 'a.example '.repeat(1_000_000) }, true, restricted)).toEqual([
      '/data/allowedDomains',
    ]);
  });

  test('is kept with the key that the service found, even if the key is not sent', () => {
    const pinned = { ...stored, trustedKey: { key: 'a' } };
    expect({ ...carry(redacted, false, pinned) }).toEqual(pinned);
    expect({ ...carry({ ...redacted, trustedKey: {} }, false, pinned) }).toEqual(pinned);
    expect(carry({ ...redacted, password: 'p', oauthTokenData: {} }, false, pinned)).toMatchObject({
      trustedKey: { key: 'a' },
    });
  });
});
