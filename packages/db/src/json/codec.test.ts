import { describe, expect, test } from '@jest/globals';
import { encodeJson, packedHeadLength, packText, unpackedLength, unpackJson, unpackText } from './codec.ts';

describe('the codec of stored JSON', () => {
  test.each([
    ['a small value', { a: 1 }],
    ['NUL and a lone surrogate', { text: 'a\u0000b\ud800c' }],
    ['a large value, which is compressed', { text: 'sluice '.repeat(10_000) }],
    ['a key that names a prototype', JSON.parse('{"__proto__": {"x": 1}}')],
  ])('%s is decoded unchanged', async (_name, value) => {
    expect(JSON.stringify(await unpackJson(encodeJson(value)))).toBe(JSON.stringify(value));
  });

  test('repetitive data is stored in a fraction of its size', () => {
    expect(encodeJson('sluice '.repeat(10_000)).length).toBeLessThan(1_000);
  });

  test.each([10, 1_000, 1_500, 60_000, 70_000, 3_000_000])(
    'the first bytes of data contain its uncompressed length, here %s',
    async (length) => {
      const data = await packText('x'.repeat(length));
      expect(unpackedLength(data.subarray(0, packedHeadLength), data.length)).toBe(length);
    },
  );

  test('a stored decompression bomb is rejected before it exhausts memory', async () => {
    const bomb = encodeJson('0'.repeat(1_000_000));
    await expect(unpackText(bomb, 1_000)).rejects.toThrow();
  });
});
