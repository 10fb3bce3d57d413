import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { KeyRing } from './key-ring.ts';
import { generateMasterKey } from './master-key.ts';
import { type SealedRecord, Vault } from './vault.ts';

const [oldKey, newKey] = [generateMasterKey(), generateMasterKey()];
const subject = { id: 'kJ3nX0aPq7wZ5tBc', type: 'httpBasicAuth' };
const data: JsonObject = { user: 'ann', password: 'p\u0000\ud800"ö', ['__proto__']: { deep: [1] } };
const vaultOf = (...keys: string[]) => new Vault(KeyRing.parse(keys));

const flip = (bytes: Buffer, at = 0): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};
const unreadable = expect.objectContaining({ code: 'CREDENTIAL_UNREADABLE' });

describe('a sealed record', () => {
  test('opens to exactly the sealed JSON', () => {
    const vault = vaultOf(oldKey);
    expect(JSON.stringify(vault.open(subject, vault.seal(subject, data)))).toBe(JSON.stringify(data));
  });

  test('contains no readable data, and never repeats a data key or an IV', () => {
    const vault = vaultOf(oldKey);
    const [first, second] = [vault.seal(subject, { password: 'hunter22' }), vault.seal(subject, { password: 'hunter22' })];
    expect(Buffer.concat([first.ciphertext, first.wrappedDek]).includes('hunter22')).toBe(false);
    expect(first.iv.equals(second.iv)).toBe(false);
    expect(first.wrappedDek.equals(second.wrappedDek)).toBe(false);
    expect([first.iv.length, first.tag.length, first.wrappedDek.length]).toEqual([12, 16, 60]);
  });

  test.each<[string, (record: SealedRecord) => Partial<SealedRecord>]>([
    ['ciphertext', ({ ciphertext }) => ({ ciphertext: flip(ciphertext) })],
    ['tag', ({ tag }) => ({ tag: flip(tag, 15) })],
    ['truncated tag', ({ tag }) => ({ tag: tag.subarray(0, 4) })],
    ['iv', ({ iv }) => ({ iv: flip(iv) })],
    ['wrapped data key', ({ wrappedDek }) => ({ wrappedDek: flip(wrappedDek, 40) })],
    ['emptied data key', () => ({ wrappedDek: Buffer.alloc(0) })],
    ['version', () => ({ version: 2 })],
    ['key id', () => ({ keyId: '__proto__' })],
  ])('does not open with a changed %s', (_, change) => {
    const vault = vaultOf(oldKey);
    const record = vault.seal(subject, data);
    expect(() => vault.open(subject, { ...record, ...change(record) })).toThrow(unreadable);
  });

  test('does not open in the row of another credential, or under another type', () => {
    const vault = vaultOf(oldKey);
    const record = vault.seal(subject, data);
    expect(() => vault.open({ ...subject, id: 'another' }, record)).toThrow(unreadable);
    expect(() => vault.open({ ...subject, type: 'httpHeaderAuth' }, record)).toThrow(unreadable);
    const other = vault.seal({ ...subject, id: 'another' }, data);
    expect(() => vault.open(subject, { ...record, wrappedDek: other.wrappedDek })).toThrow(unreadable);
  });

  test('does not open without its master key, and the error does not reveal data or keys', () => {
    const record = vaultOf(oldKey).seal(subject, { password: 'hunter22' });
    const open = () => vaultOf(newKey).open(subject, record);
    expect(open).toThrow(unreadable);
    expect(open).toThrow(/^credential kJ3nX0aPq7wZ5tBc cannot be decrypted with the configured keys$/);
  });

  test('is refused for an id that would make the additional data ambiguous', () => {
    expect(() => vaultOf(oldKey).seal({ id: 'a|b', type: 't' }, data)).toThrow('separator');
  });
});

describe('rotation of the master key', () => {
  test('rewraps the data key and does not change the encrypted data', () => {
    const record = vaultOf(oldKey).seal(subject, data);
    const both = vaultOf(newKey, oldKey);
    const rotated = { ...record, ...both.rewrap(subject, record) };
    expect(rotated.keyId).toBe(both.primaryKeyId);
    expect(rotated.ciphertext).toBe(record.ciphertext);
    expect(JSON.stringify(vaultOf(newKey).open(subject, rotated))).toBe(JSON.stringify(data));
    expect(() => vaultOf(oldKey).open(subject, rotated)).toThrow(unreadable);
  });

  test('refuses a record whose key is not in the ring, or that is in the wrong row', () => {
    const record = vaultOf(oldKey).seal(subject, data);
    expect(() => vaultOf(newKey).rewrap(subject, record)).toThrow(unreadable);
    expect(() => vaultOf(newKey, oldKey).rewrap({ ...subject, id: 'x' }, record)).toThrow(unreadable);
  });

  test('records stay readable throughout, before and after', () => {
    const reader = vaultOf(oldKey, newKey);
    const record = vaultOf(oldKey).seal(subject, data);
    const rotated = { ...record, ...vaultOf(newKey, oldKey).rewrap(subject, record) };
    for (const seen of [record, rotated]) expect(reader.open(subject, seen)).toMatchObject({ user: 'ann' });
  });
});
