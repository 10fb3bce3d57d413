import { expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { certificatesOf } from './client-certificates.ts';

const certificate = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

test('several certificates, even on one line, become the lines that OpenSSL reads', () => {
  expect(certificatesOf({ ca: `a comment\n${certificate.replaceAll('\n', ' ')}${certificate}` })).toEqual({
    ca: certificate.repeat(2),
  });
});

test('an encrypted key’s header may have hyphens', () => {
  const key = '-----BEGIN RSA PRIVATE KEY-----\nDEK-Info: AES-128-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----\n';
  expect(certificatesOf({ key })).toEqual({ key });
});

test('a field with one block of the maximum request size is read', () => {
  const key = `-----BEGIN X-----\nA: ${'a-'.repeat(7_000_000)}\n-----END X-----\n`;
  expect(certificatesOf({ key }).key === key).toBe(true);
});

test('a field of a megabyte is read in linear time', async () => {
  expect(await longestBusy(() => certificatesOf({ ca: '-----BEGIN '.repeat(95_000) }))).toBeLessThan(250);
}, 60_000);
