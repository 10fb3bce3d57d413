import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { splitOut } from './split-out.ts';

const json = [{ id: 1, list: [{ a: 1 }, { a: 2 }], tags: ['x', 'y', 'z'], o: { list: [7], 'b.c': [8] } }];

describe('split out 1', () => {
  test.each<[string, JsonObject, JsonObject[]]>([
    ['objects become the items', { fieldToSplitOut: 'list' }, [{ a: 1 }, { a: 2 }]],
    ['other values come out in their field', { fieldToSplitOut: 'tags' }, [{ tags: 'x' }, { tags: 'y' }, { tags: 'z' }]],
    ['dots reach into objects', { fieldToSplitOut: 'o.list' }, [{ 'o.list': 7 }]],
    ['a single value counts as a list', { fieldToSplitOut: 'id' }, [{ id: 1 }]],
    ['an object returns its values, with nested lists as objects', { fieldToSplitOut: 'o' }, [{ 0: 7 }, { 0: 8 }]],
    [
      'an empty choice keeps objects in their field',
      { fieldToSplitOut: 'list', include: '' },
      [{ list: { a: 1 } }, { list: { a: 2 } }],
    ],
    ['a missing field gives nothing', { fieldToSplitOut: 'none' }, []],
    [
      'several fields go side by side',
      { fieldToSplitOut: 'list, tags' },
      [{ list: { a: 1 }, tags: 'x' }, { list: { a: 2 }, tags: 'y' }, { tags: 'z' }],
    ],
    [
      'all other fields',
      { fieldToSplitOut: 'list', include: 'allOtherFields' },
      [
        { id: 1, tags: json[0]?.tags, o: json[0]?.o, list: { a: 1 } },
        { id: 1, tags: json[0]?.tags, o: json[0]?.o, list: { a: 2 } },
      ] as JsonObject[],
    ],
    [
      'selected other fields',
      { fieldToSplitOut: 'list', include: 'selectedOtherFields', fieldsToInclude: 'id, none' },
      [
        { id: 1, list: { a: 1 } },
        { id: 1, list: { a: 2 } },
      ],
    ],
    [
      'another field for the elements',
      { fieldToSplitOut: 'list', options: { destinationFieldName: 'row' } },
      [{ row: { a: 1 } }, { row: { a: 2 } }],
    ],
    ['a dot in a name', { fieldToSplitOut: 'o.list', options: { disableDotNotation: true } }, []],
  ])('%s', async (_, parameters, expected) => {
    expect(await runForJson(splitOut, { json, parameters })).toEqual(expected);
  });

  test.each([
    ['allOtherFields', ['b', 'c', 'a']],
    ['selectedOtherFields', ['a', 'c', 'b']],
  ])('the field order is the column order in files: %s', async (include, order) => {
    const parameters = { fieldToSplitOut: 'a', include, fieldsToInclude: 'c, b' };
    const [only = {}] = await runForJson(splitOut, { json: [{ a: [1], b: 2, c: 3 }], parameters });
    expect(Object.keys(only)).toEqual(order);
  });

  test('pairs each element with its item', async () => {
    const [items] = await runNode(splitOut, { json: [{ l: [1] }, { l: [2, 3] }], parameters: { fieldToSplitOut: 'l' } });
    expect(items?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 1 }]);
  });

  test('drops files unless they are included, and splits them out if selected', async () => {
    const binary = { a: { id: '1', mimeType: 'text/plain' }, b: { id: '2', mimeType: 'text/plain' } };
    const run = async (parameters: JsonObject) =>
      (await runNode(splitOut, { inputs: [[{ json: { l: [1] }, binary }]], parameters }))[0]?.map((item) => item.binary);
    expect(await run({ fieldToSplitOut: 'l' })).toEqual([undefined]);
    expect(await run({ fieldToSplitOut: 'l', options: { includeBinary: true } })).toEqual([binary]);
    expect(await run({ fieldToSplitOut: '$binary' })).toEqual([{ a: binary.a }, { b: binary.b }]);
  });

  test('a selected field is kept whole, even if it is split out', async () => {
    const parameters = { fieldToSplitOut: 'a,b', include: 'selectedOtherFields', fieldsToInclude: 'b' };
    expect(await runForJson(splitOut, { json: [{ a: [1], b: [2, 3] }], parameters })).toEqual([
      { a: 1, b: [2, 3] },
      { b: [2, 3] },
    ]);
  });

  test('a list of 200,000 elements is split out', async () => {
    const long = [{ l: Array.from({ length: 200_000 }, (_, index) => index) }];
    expect(await runForJson(splitOut, { json: long, parameters: { fieldToSplitOut: 'l' } })).toHaveLength(200_000);
  });

  test.each([
    [{}, '"fieldToSplitOut"'],
    [{ fieldToSplitOut: 'list', include: 'some' }, '"include"'],
    [{ fieldToSplitOut: 'list', include: 'selectedOtherFields' }, '"fieldsToInclude" must name'],
    [{ fieldToSplitOut: 'list', options: { destinationFieldName: 'a,b' } }, '"destinationFieldName" names 2 fields'],
  ])('%j is refused', async (parameters, message) => {
    await expect(runNode(splitOut, { json, parameters })).rejects.toThrow(message);
  });
});
