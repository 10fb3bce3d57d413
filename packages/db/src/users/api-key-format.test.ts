import { describe, expect, test } from '@jest/globals';
import { generateApiKey, hashApiKey, mayBeApiKey, redactApiKey } from './api-key-format.ts';

describe('API keys', () => {
  test('have a constant prefix, 40 random characters, and a checksum', () => {
    const keys = Array.from({ length: 100 }, generateApiKey);
    for (const key of keys) expect(key).toMatch(/^sluice_[0-9A-Za-z]{46}$/);
    expect(new Set(keys).size).toBe(100);
    for (const key of keys) expect(mayBeApiKey(key)).toBe(true);
  });

  test('are displayed with only their first and last characters', () => {
    const key = generateApiKey();
    expect(redactApiKey(key)).toBe(`${key.slice(0, 10)}********${key.slice(-4)}`);
    expect(redactApiKey('twenty-characters-ok')).toBe('twen********s-ok');
  });

  test('are looked up by their SHA-256', () => {
    expect(hashApiKey('abc').toString('hex')).toMatch(/^ba7816bf/);
  });

  test.each(['', 'x'.repeat(19), 'x'.repeat(513), 'with a space in between', 'nul\u0000nul\u0000nul\u0000nul\u0000nul'])(
    'cannot be %p',
    (text) => {
      expect(mayBeApiKey(text)).toBe(false);
    },
  );
});
