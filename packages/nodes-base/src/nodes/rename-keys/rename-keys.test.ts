import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { renameKeys } from './rename-keys.ts';

const keys = (...pairs: [string, string][]): JsonObject => ({
  keys: { key: pairs.map(([currentKey, newKey]) => ({ currentKey, newKey })) },
});
const regex = (searchRegex: string, replaceRegex: string, options: JsonObject = {}): JsonObject => ({
  additionalOptions: { regexReplacement: { replacements: [{ searchRegex, replaceRegex, options }] } },
});
const json = { a: 1, o: { a: 2, b: { a: 3 } }, l: [{ a: 4 }] };

describe('rename keys 1', () => {
  test.each<[JsonObject, JsonObject]>([
    [keys(['a', 'z']), { o: json.o, l: json.l, z: 1 }],
    [keys(['o.a', 'o.z']), { a: 1, o: { b: { a: 3 }, z: 2 }, l: json.l }],
    [keys(['o.b.a', 'top']), { a: 1, o: { a: 2, b: {} }, l: json.l, top: 3 }],
    [keys(['none', 'z'], ['a', 'a']), json],
    [keys(['', 'b'], ['a', ''], ['a ', 'b'], ['o.b.a', 'o']), { a: 1, o: 3, l: json.l }],
    [regex('', 'p_', { depth: 0 }), { p_a: 1, p_o: json.o, p_l: json.l }],
    [regex('^a$', 'z'), { z: 1, o: { z: 2, b: { z: 3 } }, l: [{ z: 4 }] }],
    [regex('^a$', 'z', { depth: 0 }), { z: 1, o: json.o, l: json.l }],
    [regex('^a$', 'z', { depth: 1 }), { z: 1, o: { z: 2, b: { a: 3 } }, l: json.l }],
    [regex('^(A)$', '$1_$1', { caseInsensitive: true, depth: 0 }), { a_a: 1, o: json.o, l: json.l }],
  ])('%j', async (parameters, expected) => {
    expect(await runForJson(renameKeys, { json: [json], parameters })).toEqual([expected]);
  });

  test('keeps files, and pairs items with themselves', async () => {
    const binary = { f: { id: 'f', mimeType: 'text/plain' } };
    const run = { inputs: [[{ json: { a: 1 }, binary }]], parameters: keys(['a', 'b']) };
    expect(await runNode(renameKeys, run)).toEqual([[{ json: { b: 1 }, binary, pairedItem: { item: 0 } }]]);
  });

  test('a key named __proto__ is a key like any other', async () => {
    const [renamed] = await runForJson(renameKeys, { json: [json], parameters: keys(['o', '__proto__']) });
    expect(Object.keys(renamed ?? {})).toContain('__proto__');
    expect(Object.getPrototypeOf(renamed)).toBe(Object.prototype);
  });

  test.each([[regex('(?=a)', 'b'), 'replacement 1']])('%j is refused', async (parameters, message) => {
    await expect(runNode(renameKeys, { json: [json], parameters })).rejects.toThrow(message);
  });
});
