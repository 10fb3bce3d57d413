import { describe, expect, test } from '@jest/globals';
import { JsonText, type JsonValue } from '@sluice/domain';
import fc from 'fast-check';
import { cutMark, fitJson } from './fit-json.ts';

const maxLength = 2_000;
const fitted = async (value: JsonValue, length = maxLength) => {
  const { text, isCut } = await fitJson(value, length);
  return { json: JSON.parse(text), text, isCut };
};

describe('JSON', () => {
  test('that fits is returned unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        const text = JSON.stringify(value);
        expect(await fitJson(value as JsonValue, text.length * 2 + 100)).toEqual({ text, isCut: false });
      }),
    );
  });

  test('of any shape stays valid and below twice the limit', async () => {
    const wide = fc.array(fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), { maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(wide, fc.dictionary(fc.string(), fc.jsonValue()), async (list, object) => {
        const { text, isCut } = await fitted({ list, object, again: list } as JsonValue);
        expect(text.length).toBeLessThan(maxLength * 2);
        expect(cutMark.test(text) || !isCut).toBe(true);
      }),
    );
  });

  test('keeps the short members of an object in order when a long member is truncated', async () => {
    const { json, isCut } = await fitted({ id: 'a', rows: Array(5_000).fill({ x: 1 }), nextCursor: 'next' });
    expect(isCut).toBe(true);
    expect(Object.keys(json)).toEqual(['id', 'rows', 'nextCursor']);
    expect(json).toMatchObject({ id: 'a', nextCursor: 'next' });
    expect(json.rows[0]).toEqual({ x: 1 });
    expect(json.rows.at(-1)).toBe(`[cut: ${5_000 - (json.rows.length - 1)} more entries]`);
    expect(json.rows.length).toBeGreaterThan(100);
  });

  test('states how much of a string was cut, whatever its characters', async () => {
    for (const character of ['x', '\n', '"', '\u0001', '🦊']) {
      const text = character.repeat(10_000);
      const { json, text: written } = await fitted({ text });
      expect(written.length).toBeLessThanOrEqual(maxLength + 100);
      const [beginning = '', missing] = json.text.split('[cut: ');
      expect(Number.parseInt(missing, 10) + beginning.length).toBe(text.length);
      expect(beginning.length).toBeGreaterThan(100);
    }
  });

  test('shows the start of a list whose first entry is too long', async () => {
    expect((await fitted([{ a: 'x'.repeat(9_000), b: 1 }, 2])).json).toEqual([
      { a: expect.stringMatching(/^x{1000,}\[cut: \d+ more characters\]$/), b: 1 },
      '[cut: 1 more entries]',
    ]);
  });

  test('states the number of members of an object that has too many', async () => {
    const { json } = await fitted(Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`key ${i}`, i])));
    expect(json['[cut]']).toBe(`[cut: ${3_000 - (Object.keys(json).length - 1)} more members]`);
  });

  test('that is far longer than the limit is truncated to the limit', async () => {
    const huge = { list: Array.from({ length: 300_000 }, (_, i) => ({ i, text: 'some text' })) };
    expect((await fitted(huge, 100_000)).text.length).toBeLessThanOrEqual(100_100);
  });

  test('that is serialized is truncated like the parsed value, without parsing all of it at once', async () => {
    const run = { rows: Array.from({ length: 5_000 }, (_, id) => ({ id, text: 'some text' })) };
    const asText = Object.assign(new JsonText(JSON.stringify(run)), { toJSON: () => 'parsed at once' });
    expect(await fitted({ runs: [asText] } as never)).toEqual(await fitted({ runs: [run] }));
  });
});
