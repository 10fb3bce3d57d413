import { describe, expect, test } from '@jest/globals';
import { KeyRing } from './key-ring.ts';
import { generateMasterKey, parseMasterKey } from './master-key.ts';

describe('parseMasterKey', () => {
  test('the same 32 bytes are the same key in hex and in both base64 alphabets', () => {
    const bytes = Buffer.alloc(32, 0xfb);
    const forms = [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')];
    expect(new Set(forms.map((form) => parseMasterKey(form).id)).size).toBe(1);
    expect(parseMasterKey(forms[0] ?? '').bytes.equals(bytes)).toBe(true);
  });

  test('a passphrase produces the same key in every process and release', () => {
    const { id, bytes } = parseMasterKey('correct horse battery staple');
    expect([id, bytes.toString('base64')]).toEqual(['54a33e603c0ebf74', 'eP0eFlQVqRZl7tSuKCDglQJKACGdlyXxsxeyY5YqM8o=']);
  });

  test('a short passphrase is refused without being quoted', () => {
    expect(() => parseMasterKey('too-short')).toThrow(/16 or more/);
    expect(() => parseMasterKey('too-short')).not.toThrow(/too-short/);
  });

  test('generated keys are parsed as 32 bytes, and differ', () => {
    const [first, second] = [generateMasterKey(), generateMasterKey()];
    expect(Buffer.from(first, 'base64')).toHaveLength(32);
    expect(parseMasterKey(first).bytes.toString('base64')).toBe(first);
    expect(parseMasterKey(first).id).not.toBe(parseMasterKey(second).id);
  });

  test('the id reveals nothing about the key', () => {
    const { id, bytes } = parseMasterKey(generateMasterKey());
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(bytes.toString('hex')).not.toContain(id);
  });
});

test('the first key of a ring is primary, all can be looked up', () => {
  const keys = [generateMasterKey(), generateMasterKey()].map(parseMasterKey);
  const ring = new KeyRing(keys);
  expect(ring.primary).toBe(keys[0]);
  expect(ring.ids.map((id) => ring.find(id))).toEqual(keys);
  expect(() => new KeyRing([])).toThrow('needs a master key');
});
