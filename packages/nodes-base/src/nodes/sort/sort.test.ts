import { describe, expect, test } from '@jest/globals';
import type { CodeRequest, JsonObject, JsonValue } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { sort } from './sort.ts';

const by = (...fields: [string, (string | undefined)?][]): JsonObject => ({
  sortFieldsUi: { sortField: fields.map(([fieldName, order]): JsonObject => (order ? { fieldName, order } : { fieldName })) },
});

const sorted = async (values: (JsonValue | undefined)[], order?: string) => {
  const json = values.map((v): JsonObject => (v === undefined ? {} : { v }));
  return (await runForJson(sort, { json, parameters: by(['v', order]) })).map(({ v }) => v);
};

describe('sort 1 by fields', () => {
  test.each<[(JsonValue | undefined)[], string | undefined, (JsonValue | undefined)[]]>([
    [[10, 9, -1], undefined, [-1, 9, 10]],
    [[10, 9, -1], 'descending', [10, 9, -1]],
    [['b', 'A', 'c', 'B'], undefined, ['A', 'b', 'B', 'c']],
    [['b', 'A', 'c'], 'descending', ['c', 'b', 'A']],
    [[true, false], undefined, [false, true]],
    [['1', 2, '0', 3], undefined, ['0', '1', 2, 3]],
  ])('%j %s yields %j', async (values, order, expected) => {
    expect(await sorted(values, order)).toEqual(expected);
  });

  test('later fields decide among equal items; the rest keep their order', async () => {
    const json: JsonObject[] = [
      { a: 1, b: 1, n: 1 },
      { a: 0, b: 1 },
      { a: 1, b: 2 },
      { a: 1, b: 1, n: 2 },
    ];
    expect(await runForJson(sort, { json, parameters: by(['a'], ['b', 'descending']) })).toEqual([
      json[1],
      json[2],
      json[0],
      json[3],
    ]);
  });

  test('dots refer to nested fields unless switched off; items remain paired with themselves', async () => {
    const json = [{ o: { x: 2 } }, { o: { x: 1 } }];
    const pairs = async (options: JsonObject) =>
      (await runNode(sort, { json, parameters: { ...by(['o.x']), options } }))[0]?.map(({ pairedItem }) => pairedItem);
    expect(await pairs({})).toEqual([{ item: 1 }, { item: 0 }]);
    await expect(pairs({ disableDotNotation: true })).rejects.toThrow('no item has the field "o.x"');
    const named = [
      { 'o.x': 2, o: { x: 1 } },
      { 'o.x': 1, o: { x: 2 } },
    ];
    expect(await runForJson(sort, { json: named, parameters: by(['o.x']) })).toEqual([named[1], named[0]]);
  });

  test.each([
    [{}, '"sortFieldsUi"'],
    [by(['']), 'has no name'],
    [by(['none']), 'no item has the field "none"'],
    [{ type: 'code' }, '"code" is required'],
    [{ type: 'code', code: 'a.json.n - b.json.n' }, 'does not return'],
    [{ type: 'other' }, '"type"'],
  ])('%j is refused', async (parameters, message) => {
    await expect(runNode(sort, { json: [{ a: 1 }], parameters })).rejects.toThrow(message);
  });
});

test('random sort keeps every item, paired with itself', async () => {
  const json = Array.from({ length: 50 }, (_, n) => ({ n }));
  const [items = []] = await runNode(sort, { json, parameters: { type: 'random' } });
  expect(items?.map((item) => item.pairedItem)).toEqual(items?.map((item) => ({ item: item.json['n'] })));
  expect(items?.map((item) => Number(item.json['n'])).sort((a, b) => a - b)).toEqual(json.map(({ n }) => n));
  expect(items?.map((item) => item.json)).not.toEqual(json);
});

test('sort by code runs the function in the sandbox', async () => {
  const requests: CodeRequest[] = [];
  const runCode = async (request: CodeRequest) => {
    requests.push(request);
    return [{ json: { done: true } }];
  };
  const run = { parameters: { type: 'code', code: 'return a.json.n - b.json.n;' }, runCode };
  expect(await runForJson(sort, run)).toEqual([{ done: true }]);
  expect(requests).toEqual([{ source: expect.stringMatching(/^return items\.sort\(.*return a\.json\.n/), mode: 'allItems' }]);
});
