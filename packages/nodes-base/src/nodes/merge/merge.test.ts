import { describe, expect, test } from '@jest/globals';
import type { Item, JsonObject } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { merge } from './merge.ts';

const items = (...list: JsonObject[]): Item[] => list.map((json) => ({ json }));
const people = items({ id: 1, name: 'Ada' }, { id: 2, name: 'Ben' }, { id: 3, name: 'Cy' });
const orders = items({ id: 1, sum: 10 }, { id: 1, sum: 11 }, { id: 3, sum: 30 }, { id: 4, sum: 40 });
const both = [people, orders];

const json = (parameters: JsonObject, inputs: (Item[] | undefined)[] = both, typeVersion = 3.2) =>
  runForJson(merge, { parameters, inputs, typeVersion });
const byFields = (more: JsonObject = {}): JsonObject => ({ mode: 'combine', fieldsToMatchString: 'id', ...more });

describe('merge 3', () => {
  test('appends all inputs in order, paired with input and position', async () => {
    const output = await runNode(merge, { inputs: [items({ a: 1 }), undefined, items({ c: 1 })] });
    expect(output).toEqual([
      [
        { json: { a: 1 }, pairedItem: { item: 0, input: 0 } },
        { json: { c: 1 }, pairedItem: { item: 0, input: 2 } },
      ],
    ]);
  });

  test('an input number that is too large is an error', async () => {
    await expect(json({}, new Array<undefined>(101).fill(undefined))).rejects.toThrow('100 inputs');
  });

  test('combines by position, and drops the surplus by default', async () => {
    const parameters = { mode: 'combine', combineBy: 'combineByPosition' };
    const inputs = [items({ a: 1 }, { a: 2 }), items({ b: 1 }), items({ c: 1 }, { c: 2 })];
    expect(await json(parameters, inputs)).toEqual([{ a: 1, b: 1, c: 1 }]);
    const keep = { ...parameters, options: { includeUnpaired: true } };
    expect(await json(keep, inputs)).toEqual([
      { a: 1, b: 1, c: 1 },
      { a: 2, c: 2 },
    ]);
  });

  test('combines all items with all items', async () => {
    const parameters = { mode: 'combine', combineBy: 'combineAll' };
    const output = await json(parameters, [items({ a: 1 }, { a: 2 }), items({ b: 1 }, { b: 2 })]);
    expect(output).toEqual([
      { a: 1, b: 1 },
      { a: 1, b: 2 },
      { a: 2, b: 1 },
      { a: 2, b: 2 },
    ]);
  });

  test('refuses to combine items into millions of items', async () => {
    const many = items(...Array.from({ length: 1_001 }, () => ({})));
    await expect(json({ mode: 'combine', combineBy: 'combineAll' }, [many, many])).rejects.toThrow('more than 1000000 items');
  });

  test.each<[string, JsonObject, JsonObject[]]>([
    [
      'matches, merged',
      {},
      [
        { id: 1, name: 'Ada', sum: 10 },
        { id: 1, name: 'Ada', sum: 11 },
        { id: 3, name: 'Cy', sum: 30 },
      ],
    ],
    [
      'only first matches',
      { options: { multipleMatches: 'first' } },
      [
        { id: 1, name: 'Ada', sum: 10 },
        { id: 3, name: 'Cy', sum: 30 },
      ],
    ],
    [
      'matching items of input 1, once each',
      { outputDataFrom: 'input1' },
      [
        { id: 1, name: 'Ada' },
        { id: 3, name: 'Cy' },
      ],
    ],
    [
      'matching items of input 2',
      { outputDataFrom: 'input2' },
      [
        { id: 1, sum: 10 },
        { id: 1, sum: 11 },
        { id: 3, sum: 30 },
      ],
    ],
    [
      'non-matches, with their source',
      { joinMode: 'keepNonMatches' },
      [
        { id: 2, name: 'Ben', _source: 'input1' },
        { id: 4, sum: 40, _source: 'input2' },
      ],
    ],
    ['non-matches of input 1', { joinMode: 'keepNonMatches', outputDataFrom: 'input1' }, [{ id: 2, name: 'Ben' }]],
    ['non-matches of input 2', { joinMode: 'keepNonMatches', outputDataFrom: 'input2' }, [{ id: 4, sum: 40 }]],
    [
      'everything',
      { joinMode: 'keepEverything', options: { multipleMatches: 'first' } },
      [
        { id: 1, name: 'Ada', sum: 10 },
        { id: 3, name: 'Cy', sum: 30 },
        { id: 2, name: 'Ben' },
        { id: 1, sum: 11 },
        { id: 4, sum: 40 },
      ],
    ],
    [
      'input 1, enriched',
      { joinMode: 'enrichInput1', options: { multipleMatches: 'first' } },
      [
        { id: 1, name: 'Ada', sum: 10 },
        { id: 3, name: 'Cy', sum: 30 },
        { id: 2, name: 'Ben' },
      ],
    ],
    [
      'input 2, enriched',
      { joinMode: 'enrichInput2' },
      [
        { id: 1, name: 'Ada', sum: 10 },
        { id: 1, name: 'Ada', sum: 11 },
        { id: 3, name: 'Cy', sum: 30 },
        { id: 4, sum: 40 },
      ],
    ],
  ])('combines by fields: %s', async (_, more, expected) => {
    expect(await json(byFields(more))).toEqual(expected);
  });

  test('merged items are paired with both of their sources and keep both sources’ files', async () => {
    const file = (id: string) => ({ [id]: { id, mimeType: 'text/plain' } });
    const inputs = [[{ json: { id: 1 }, binary: file('a') }], [{ json: { id: 1 }, binary: file('b') }]];
    const [output] = await runNode(merge, { parameters: byFields(), inputs });
    expect(output).toEqual([
      {
        json: { id: 1 },
        binary: { ...file('a'), ...file('b') },
        pairedItem: [
          { item: 0, input: 0 },
          { item: 0, input: 1 },
        ],
      },
    ]);
  });

  test('fields may have different names, and may be nested', async () => {
    const parameters = byFields({ advanced: true, mergeByFields: { values: [{ field1: 'user.id', field2: 'owner' }] } });
    const inputs = [items({ user: { id: 7 } }), items({ owner: 7, x: 1 })];
    expect(await json(parameters, inputs)).toEqual([{ user: { id: 7 }, owner: 7, x: 1 }]);
    const literal = { ...parameters, options: { disableDotNotation: true } };
    expect(await json(literal, [items({ 'user.id': 7 }), items({ owner: 7 })])).toEqual([{ 'user.id': 7, owner: 7 }]);
  });

  test('types and missing fields matter, unless the comparison is fuzzy', async () => {
    const inputs = [items({ id: 1, a: 1 }, { a: 2 }), items({ id: '1', b: 1 }, { id: '', b: 2 })];
    expect(await json(byFields(), inputs)).toEqual([]);
    expect(await json(byFields({ options: { fuzzyCompare: true } }), inputs)).toEqual([{ id: '1', a: 1, b: 1 }]);
  });

  test.each<[JsonObject, JsonObject]>([
    [{ resolveClash: 'preferInput1' }, { id: 1, v: '', o: { x: 1, y: 2 } }],
    [
      { resolveClash: 'preferInput1', overrideEmpty: true },
      { id: 1, v: 'b', o: { x: 1, y: 2 } },
    ],
    [
      { resolveClash: 'preferLast', mergeMode: 'shallowMerge' },
      { id: 1, v: 'b', o: { x: 2, y: 2 } },
    ],
    [{ resolveClash: 'addSuffix' }, { id_1: 1, id_2: 1, v_1: '', v_2: 'b', o_1: { x: 1 }, o_2: { x: 2, y: 2 } }],
  ])('clash handling %j', async (values, expected) => {
    const inputs = [items({ id: 1, v: '', o: { x: 1 } }), items({ id: 1, v: 'b', o: { x: 2, y: 2 } })];
    expect(await json(byFields({ options: { clashHandling: { values } } }), inputs)).toEqual([expected]);
  });

  test('chooses a branch, or returns one empty item', async () => {
    const ids = items({ id: 4 });
    expect(await json({ mode: 'chooseBranch', useDataOfInput: '2' }, [people, ids])).toEqual([{ id: 4 }]);
    expect(await json({ mode: 'chooseBranch', output: 'empty' })).toEqual([{}]);
  });

  test.each<[string, boolean, (Item[] | undefined)[], JsonObject[]]>([
    ['nothing in the order v1', false, [items({ id: 4 }), undefined], []],
    ['the chosen branch in the legacy order', true, [items({ id: 4 }), undefined], [{ id: 4 }]],
    ['nothing in the legacy order if the first is empty', true, [undefined, items({ id: 4 })], []],
  ])('with an empty branch, choosing a branch returns %s', async (_, isLegacyOrder, inputs, expected) => {
    const parameters = { mode: 'chooseBranch', useDataOfInput: inputs[0] ? 1 : 2 };
    expect(await runForJson(merge, { parameters, inputs, typeVersion: 3.2, isLegacyOrder })).toEqual(expected);
  });

  test.each<[JsonObject, string]>([
    [{ mode: 'combine' }, '"fieldsToMatchString"'],
    [byFields({ advanced: true, mergeByFields: { values: [{ field1: 'a' }] } }), '"mergeByFields.values"'],
    [byFields({ joinMode: 'keepSome' }), '"joinMode"'],
    [byFields({ options: { clashHandling: { values: { resolveClash: 'fight' } } } }), '"resolveClash"'],
    [{ mode: 'chooseBranch', useDataOfInput: 0 }, '"useDataOfInput"'],
  ])('%j is refused', async (parameters, message) => {
    await expect(json(parameters)).rejects.toThrow(message);
  });
});

test('a branch that the node does not have cannot be chosen', async () => {
  const inputs = [[{ json: { a: 1 } }], [{ json: { b: 2 } }]];
  const parameters = { mode: 'chooseBranch', useDataOfInput: 5 };
  await expect(runNode(merge, { typeVersion: 3.2, inputs, parameters })).rejects.toMatchObject({
    message: 'the parameter "useDataOfInput" is 5, and the node has 2 inputs',
    description: expect.any(String),
    itemIndex: 0,
  });
  const unconnected = { ...parameters, useDataOfInput: 3, numberInputs: 3 };
  expect(await runNode(merge, { typeVersion: 3.2, inputs, parameters: unconnected })).toEqual([[]]);
});

describe('merge 2', () => {
  test.each<[string, JsonObject, number]>([
    ['mergeByFields', { mergeByFields: { values: [{ field1: 'id', field2: 'id' }] } }, 3],
    ['mergeByPosition', {}, 3],
    ['multiplex', {}, 12],
  ])('combines by %s', async (combinationMode, more, count) => {
    expect(await json({ mode: 'combine', combinationMode, ...more }, both, 2.1)).toHaveLength(count);
  });

  test('chooses a branch by name', async () => {
    expect(await json({ mode: 'chooseBranch', output: 'input2' }, both, 2)).toHaveLength(4);
  });
});

describe('merge 1', () => {
  const keys = { propertyName1: 'id', propertyName2: 'id' };

  test.each<[JsonObject, JsonObject[]]>([
    [{ mode: 'passThrough', output: 'input2' }, orders.map((item) => item.json)],
    [{ mode: 'wait' }, [{}]],
    [{ mode: 'keepKeyMatches', ...keys }, [people[0]?.json ?? {}, people[2]?.json ?? {}]],
    [{ mode: 'removeKeyMatches', ...keys }, [people[1]?.json ?? {}]],
    [
      { mode: 'mergeByKey', ...keys },
      [
        { id: 1, name: 'Ada', sum: 11 },
        { id: 2, name: 'Ben' },
        { id: 3, name: 'Cy', sum: 30 },
      ],
    ],
  ])('%j', async (parameters, expected) => {
    expect(await json(parameters, both, 1)).toEqual(expected);
  });

  test.each([
    ['inner', 1],
    ['left', 2],
    ['outer', 2],
  ])('merges by index: %s join', async (join, count) => {
    expect(await json({ mode: 'mergeByIndex', join }, [items({ a: 1 }, { a: 2 }), items({ b: 1 })], 1)).toHaveLength(count);
  });

  test.each([
    ['always', 2],
    ['blank', 2],
    ['undefined', ''],
  ])('overwrites %s', async (overwrite, v) => {
    const inputs = [items({ id: 1, v: '' }), items({ id: 1, v: 2 })];
    expect(await json({ mode: 'mergeByKey', overwrite, ...keys }, inputs, 1)).toEqual([{ id: 1, v }]);
  });

  test('the error for a missing key contains its name', async () => {
    await expect(json({ mode: 'mergeByKey', propertyName1: 'id' }, both, 1)).rejects.toThrow('"propertyName2"');
  });
});
