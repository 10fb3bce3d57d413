import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { runNode } from '../../testing/fake-context.ts';
import { compareDatasets } from './compare-datasets.ts';

const a: JsonObject[] = [
  { id: 1, name: 'only a' },
  { id: 2, name: 'same', x: [1] },
  { id: 3, name: 'old', at: 1 },
];
const b: JsonObject[] = [
  { id: 3, name: 'new', at: 2 },
  { id: 4, name: 'only b' },
  { id: 2, x: [1], name: 'same' },
];
const byId: JsonObject = { mergeByFields: { values: [{ field1: 'id', field2: 'id' }] } };
const asItems = (json: JsonObject[]) => json.map((object) => ({ json: object }));

async function compare(parameters: JsonObject, typeVersion = 2.3, inputs: JsonObject[][] = [a, b]) {
  const outputs = await runNode(compareDatasets, { inputs: inputs.map(asItems), parameters, typeVersion });
  return outputs.map((items) => (items ?? []).map(({ json }) => json));
}
const different = async (parameters: JsonObject, typeVersion = 2.3) =>
  (await compare({ ...byId, ...parameters }, typeVersion))[2];

describe.each([1, 2, 2.1, 2.2, 2.3])('compare datasets %d', (version) => {
  test('outputs items only in A, equal items, different items, and items only in B', async () => {
    const [onlyA, same, differing, onlyB] = await compare(byId, version);
    expect([onlyA, same, onlyB]).toEqual([[a[0]], [a[1]], [b[1]]]);
    expect(differing).toHaveLength(1);
  });

  test('outputs the chosen version of two items that differ', async () => {
    expect(await different({ resolve: 'preferInput1' }, version)).toEqual([a[2]]);
    expect(await different({ resolve: 'preferInput2' }, version)).toEqual([b[0]]);
    expect(await different({ resolve: 'mix', exceptWhenMix: 'at' }, version)).toEqual([{ id: 3, name: 'old', at: 2 }]);
    const mix = { resolve: 'mix', preferWhenMix: 'input2', exceptWhenMix: 'at' };
    expect(await different(mix, version)).toEqual([{ id: 3, name: 'new', at: 1 }]);
  });
});

const both = {
  keys: { id: 3 },
  same: { id: 3 },
  different: { name: { inputA: 'old', inputB: 'new' }, at: { inputA: 1, inputB: 2 } },
};

describe('differences between versions', () => {
  test.each([1, 2])('version %d prefers input B by default', async (version) => {
    expect(await different({}, version)).toEqual([b[0]]);
  });

  test.each([2.1, 2.2, 2.3])('version %d includes both by default', async (version) => {
    expect(await different({}, version)).toEqual([both]);
  });

  test.each<[number, JsonObject]>([
    [1, { options: { fuzzyCompare: true } }],
    [2, { fuzzyCompare: true }],
  ])('version %d compares fuzzily by its own option', async (version, option) => {
    const inputs = [[{ id: 1, n: 5, e: null }], [{ id: '1', n: '5', e: '' }]];
    expect((await compare({ ...byId, ...option }, version, inputs))[1]).toEqual(inputs[1]);
    expect((await compare(byId, version, inputs))[1]).toEqual([]);
  });
});

test('skipped fields may differ and are output separately', async () => {
  expect(await different({ options: { skipFields: 'at' } })).toEqual([
    { keys: { id: 3 }, same: { id: 3 }, different: { name: both.different.name }, skipped: { at: both.different.at } },
  ]);
  expect(await different({ options: { skipFields: 'at, name' } })).toEqual([]);
});

test('compares with the first match, or with all matches', async () => {
  const inputs: JsonObject[][] = [[{ id: 1 }], [{ id: 1 }, { id: 1, x: 1 }]];
  expect(await compare(byId, 2.3, inputs)).toEqual([[], [{ id: 1 }], [], [{ id: 1, x: 1 }]]);
  const all = await compare({ ...byId, options: { multipleMatches: 'all' } }, 2.3, inputs);
  expect(all.map((items) => items.length)).toEqual([0, 1, 1, 0]);
});

test('items are paired with the item that they come from, or with both items', async () => {
  const pairs = async (parameters: JsonObject) => {
    const outputs = await runNode(compareDatasets, {
      inputs: [asItems(a), asItems(b)],
      parameters: { ...byId, ...parameters },
    });
    return outputs.map((items) => items?.[0]?.pairedItem);
  };
  const [onlyA, same, onlyB] = [
    { item: 0, input: 0 },
    { item: 1, input: 0 },
    { item: 1, input: 1 },
  ];
  const [of1, of2] = [
    { item: 2, input: 0 },
    { item: 0, input: 1 },
  ];
  expect(await pairs({})).toEqual([onlyA, same, [of1, of2], onlyB]);
  expect(await pairs({ resolve: 'preferInput1' })).toEqual([onlyA, same, of1, onlyB]);
  expect(await pairs({ resolve: 'preferInput2' })).toEqual([onlyA, same, of2, onlyB]);
  expect(await pairs({ resolve: 'mix', preferWhenMix: 'input2' })).toEqual([onlyA, same, of2, onlyB]);
});

test('items without the match field match nothing', async () => {
  const inputs: JsonObject[][] = [
    [{ x: 1 }, { id: 1 }],
    [{ x: 1 }, { id: 1 }],
  ];
  expect(await compare(byId, 2.3, inputs)).toEqual([[{ x: 1 }], [{ id: 1 }], [], [{ x: 1 }]]);
});

test('no field is reported as missing in an empty input', async () => {
  expect(await compare(byId, 2, [[{ id: 1 }], []])).toEqual([[{ id: 1 }], [], [], []]);
});

test.each([
  [{}, '"mergeByFields"'],
  [{ mergeByFields: { values: [{ field1: 'a' }] } }, '"mergeByFields"'],
  [{ ...byId, resolve: 'none' }, '"resolve"'],
])('%j is refused', async (parameters, message) => {
  await expect(compare(parameters)).rejects.toThrow(message);
});
