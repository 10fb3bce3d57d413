import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { tlsOf } from './tls-of.ts';

const { privateKey: key } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' },
});

test('certificates are checked unless the credential says otherwise', () => {
  expect(tlsOf({})).toEqual({ rejectUnauthorized: true });
  expect(tlsOf({ rejectUnauthorized: false })).toEqual({ rejectUnauthorized: false });
});

test('decrypts a key with its passphrase, and reports a wrong passphrase without showing it', () => {
  const ca = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
  const opened = tlsOf({ ca, key, passphrase: 'open sesame' });
  expect(opened).toMatchObject({ ca, key: expect.stringContaining('BEGIN PRIVATE KEY') });
  expect(() => tlsOf({ key, passphrase: 'wrong one' })).toThrow(
    expect.objectContaining({ code: 'CREDENTIAL_UNUSABLE', message: expect.not.stringContaining('wrong one') }),
  );
});
