import { expect, test } from '@jest/globals';
import { redactSecrets } from './redact-secrets.ts';

const fields = ['password', 'token', 'address'];

test.each([
  ['as it is', 'login of ann with s3cr&t failed', 'login of ann with *** failed'],
  ['as in a URL', 'GET /?key=s3cr%26t', 'GET /?key=***'],
  ['as in Basic authentication', `got ${btoa('s3cr&t')}`, 'got ***'],
])('a secret is removed %s', (_, message, expected) => {
  expect(redactSecrets(message, { user: 'ann', password: 's3cr&t' }, fields)).toBe(expected);
});

test('secrets within a token and within a URL are redacted', () => {
  const data = { token: { access_token: 'aaaa', more: ['bbbb'] }, address: 'mongodb://u:p%40ssw@h/' };
  expect(redactSecrets('aaaa bbbb p%40ssw p@ssw u', data, fields)).toBe('*** *** *** *** u');
});

test('secrets within JSON text are redacted', () => {
  expect(redactSecrets('got hunter22', { token: '{"headers":{"x-key":"hunter22"}}' }, fields)).toBe('got ***');
});

test('a secret too short to be distinctive is not redacted', () => {
  expect(redactSecrets('bad password x', { password: 'x' }, fields)).toBe('bad password x');
});

test('a secret that is not valid in a URL is redacted', () => {
  expect(redactSecrets('got \ud800abc', { password: '\ud800abc' }, fields)).toBe('got ***');
});

test('other fields are not redacted', () => {
  expect(redactSecrets('no user ann', { user: 'ann', password: '' }, fields)).toBe('no user ann');
});
