import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { aggregate } from './aggregate.ts';

const json: JsonObject[] = [
  { a: 1, l: [1, null], o: { x: 'p' } },
  { a: 2, l: [3], o: { x: 'q' } },
  { a: null, b: true },
];

const fields = (...names: (string | [string, string])[]): JsonObject => ({
  fieldsToAggregate: {
    fieldToAggregate: names.map(
      (name): JsonObject =>
        typeof name === 'string'
          ? { fieldToAggregate: name }
          : { fieldToAggregate: name[0], renameField: true, outputFieldName: name[1] },
    ),
  },
});
const wholeItems: JsonObject = { aggregate: 'aggregateAllItemData' };

describe('aggregate 1', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['a list for each field, without missing values', fields('a', 'l'), { a: [1, 2], l: [[1], [3]] }],
    ['a field within a field, under its last name', fields('o.x'), { x: ['p', 'q'] }],
    ['under another name', fields(['a', 'as']), { as: [1, 2] }],
    ['lists merged', { ...fields('l'), options: { mergeLists: true } }, { l: [1, 3] }],
    ['what is missing kept', { ...fields('a'), options: { keepMissing: true } }, { a: [1, 2, null] }],
    [
      'missing values kept, lists merged',
      { ...fields('l'), options: { keepMissing: true, mergeLists: true } },
      { l: [1, null, 3, null] },
    ],
    ['a dot in a name', { ...fields('o.x'), options: { disableDotNotation: true } }, { 'o.x': [] }],
    ['the items', wholeItems, { data: json }],
    [
      'some fields of the items, in another field',
      { ...wholeItems, include: 'specifiedFields', fieldsToInclude: 'b', destinationFieldName: 'rows' },
      { rows: [{ b: true }] },
    ],
    [
      'all but some fields',
      { ...wholeItems, include: 'allFieldsExcept', fieldsToExclude: 'l,o,b' },
      { data: [{ a: 1 }, { a: 2 }, { a: null }] },
    ],
  ])('returns %s', async (_, parameters, expected) => {
    expect(await runForJson(aggregate, { json, parameters })).toEqual([expected]);
  });

  test('the item is paired with all items', async () => {
    const [items] = await runNode(aggregate, { json, parameters: wholeItems });
    expect(items?.[0]?.pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
  });

  test('collects files with the option, numbered where names clash, and once for equal files', async () => {
    const file = (id: string, fileSize: number) => ({ id, mimeType: 'text/plain', fileSize });
    const inputs = [[1, 2, 2].map((size, index) => ({ json: {}, binary: { data: file(`f${index}`, size) } }))];
    const run = async (options: JsonObject) =>
      (await runNode(aggregate, { inputs, parameters: { ...wholeItems, options } }))[0]?.[0]?.binary;
    expect(await run({})).toBeUndefined();
    expect(await run({ includeBinaries: true })).toEqual({ data: file('f0', 1), data_1: file('f1', 2), data_2: file('f2', 2) });
    expect(await run({ includeBinaries: true, keepOnlyUnique: true })).toEqual({ data: file('f0', 1), data_1: file('f1', 2) });
  });

  test.each([
    [{}, '"fieldsToAggregate"'],
    [fields('a', ['l', 'a']), 'come out as "a"'],
    [{ aggregate: 'none' }, '"aggregate"'],
  ])('%j is refused', async (parameters, message) => {
    await expect(runNode(aggregate, { json, parameters })).rejects.toThrow(message);
  });
});
