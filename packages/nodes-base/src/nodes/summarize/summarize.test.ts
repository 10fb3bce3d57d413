import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { summarize } from './summarize.ts';

const json: JsonObject[] = [
  { team: 'a', n: 1, t: 'x', o: { n: 5 } },
  { team: 'b', n: 4, t: '', o: { n: 6 } },
  { team: 'a', n: 3, t: 'x' },
  { team: '', n: '7', t: null },
];

const fields = (...values: JsonObject[]): JsonObject => ({ fieldsToSummarize: { values } });
const run = (parameters: JsonObject, typeVersion = 1.1) => runForJson(summarize, { json, parameters, typeVersion });

describe.each([1, 1.1])('summarize %d', (version) => {
  test.each<[JsonObject, string, JsonValue]>([
    [{ field: 'n' }, 'count_n', 4],
    [{ field: 't' }, 'count_t', 2],
    [{ field: 't', includeEmpty: true }, 'count_t', 4],
    [{ aggregation: 'countUnique', field: 't' }, 'unique_count_t', 1],
    [{ aggregation: 'countUnique', field: 't', includeEmpty: true }, 'unique_count_t', 3],
    [{ aggregation: 'sum', field: 'n' }, 'sum_n', 8],
    [{ aggregation: 'average', field: 'n' }, 'average_n', 8 / 3],
    [{ aggregation: 'max', field: 'o.n' }, 'max_o_n', 6],
    [{ aggregation: 'min', field: 'o["n"]' }, 'min_on', 5],
    [{ aggregation: 'append', field: 't' }, 'appended_t', ['x', 'x']],
    [{ aggregation: 'append', field: 't', includeEmpty: true }, 'appended_t', ['x', '', 'x', null]],
    [{ aggregation: 'concatenate', field: 't' }, 'concatenated_t', 'x,x'],
    [{ aggregation: 'concatenate', field: 'n', separateBy: 'other', customSeparator: '/' }, 'concatenated_n', '1/4/3/7'],
    [{ aggregation: 'concatenate', field: 'o', separateBy: '\n' }, 'concatenated_o', '{"n":5}\n{"n":6}'],
    [{ aggregation: 'concatenate', field: 't', includeEmpty: true }, 'concatenated_t', 'x,,x,null'],
    [{ aggregation: 'countUnique', field: 'o' }, 'unique_count_o', 2],
  ])('%j yields %s: %j', async (field, key, value) => {
    expect(await run(fields(field), version)).toEqual([{ [key]: value }]);
  });

  const bySum = fields({ aggregation: 'sum', field: 'n' }, { field: 't' });

  test('a sum or an average of text adds a hint to the run', async () => {
    const hints: string[] = [];
    const addHints = (...added: readonly { message: string }[]) => void hints.push(...added.map(({ message }) => message));
    const summarize1 = (aggregation: string, json: JsonObject[]) =>
      runNode(summarize, {
        json,
        addHints,
        typeVersion: version,
        parameters: { fieldsToSummarize: { values: [{ field: 'n', aggregation }] } },
      });
    await summarize1('sum', [{ n: '1' }, { n: 2 }]);
    await summarize1('average', [{ n: 'x' }]);
    expect(hints).toEqual([expect.stringContaining('sum_n omits'), expect.stringContaining('average_n omits')]);
    await summarize1('sum', [{ n: 1 }, {}]);
    await summarize1('max', [{ n: '1' }]);
    expect(hints).toHaveLength(2);
  });

  test('splits by fields: each group is an item, paired with the group’s items', async () => {
    expect(
      (await runNode(summarize, { json, parameters: { ...bySum, fieldsToSplitBy: 'team' }, typeVersion: version }))[0],
    ).toEqual([
      { json: { team: 'a', sum_n: 4, count_t: 2 }, pairedItem: [{ item: 0 }, { item: 2 }] },
      { json: { team: 'b', sum_n: 4, count_t: 0 }, pairedItem: [{ item: 1 }] },
      { json: { team: '', sum_n: 0, count_t: 0 }, pairedItem: [{ item: 3 }] },
    ]);
  });

  test('fields to split by come last, in reverse order, which is the column order in files', async () => {
    const parameters = { ...fields({ field: 'n' }), fieldsToSplitBy: 'a, b, c' };
    const [only = {}] = await runForJson(summarize, { json: [{ n: 1, a: 1, b: 2, c: 3 }], parameters, typeVersion: version });
    expect(Object.keys(only)).toEqual(['count_n', 'c', 'b', 'a']);
  });

  test('omits items without the field with the option', async () => {
    const options = { skipEmptySplitFields: true };
    expect((await run({ ...bySum, fieldsToSplitBy: 'team', options }, version)).map(({ team }) => team)).toEqual(['a', 'b']);
  });

  test('returns all groups in one item with the option', async () => {
    const parameters = { ...fields({ field: 'n' }), fieldsToSplitBy: 'team, t', options: { outputFormat: 'singleItem' } };
    expect(await run(parameters, version)).toEqual([
      { a: { x: { count_n: 2 } }, b: { '': { count_n: 1 } }, '': { null: { count_n: 1 } } },
    ]);
  });

  test('a second field may have no name', async () => {
    expect(await run(fields({ field: 'n' }, { field: '' }), version)).toEqual([{ count_n: 4, count_: 0 }]);
  });

  test('groups by the first field, then by the second', async () => {
    const input = [
      { a: 'x', b: 'p' },
      { a: 'y', b: 'p' },
      { a: 'x', b: 'q' },
      { a: 'y', b: 'p' },
    ];
    const parameters = { ...fields({ field: 'b' }), fieldsToSplitBy: 'a,b' };
    expect(await runForJson(summarize, { json: input, parameters, typeVersion: version })).toEqual([
      { a: 'x', b: 'p', count_b: 1 },
      { a: 'x', b: 'q', count_b: 1 },
      { a: 'y', b: 'p', count_b: 2 },
    ]);
  });

  test.each([
    [{}, '"fieldsToSummarize"'],
    [fields({ field: '' }), '"fieldsToSummarize" must name'],
    [fields({ field: 'n', aggregation: 'median' }), 'aggregation" must be one of'],
  ])('%j is refused', async (parameters, message) => {
    await expect(run(parameters, version)).rejects.toThrow(message);
  });
});

describe('a field that no item has', () => {
  const missing = fields({ aggregation: 'sum', field: 'none' });

  test('is an error in version 1 by default', async () => {
    await expect(run(missing, 1)).rejects.toThrow('no item has the field "none"');
    expect(await run({ ...missing, options: { continueIfFieldNotFound: true } }, 1)).toEqual([{ sum_none: 0 }]);
  });

  test('sums up to 0 in version 1.1', async () => {
    expect(await run(missing, 1.1)).toEqual([{ sum_none: 0 }]);
  });
});

describe('values to split by', () => {
  const input: JsonObject[] = [{ a: 1 }, { a: '1' }, { a: null }, {}, { a: '' }, { a: false }, { a: 0 }, { a: { x: 1 } }];
  const split = (typeVersion: number, options: JsonObject = {}) =>
    runForJson(summarize, {
      json: input,
      typeVersion,
      parameters: { ...fields({ field: 'a', includeEmpty: true }), fieldsToSplitBy: 'a', options },
    });
  const values = (items: readonly JsonObject[]) => items.map(({ a }) => a);

  test('are strings in version 1', async () => {
    expect(values(await split(1))).toEqual(['1', 'null', 'undefined', '', 'false', '0', '{"x":1}']);
    expect(values(await split(1, { skipEmptySplitFields: true }))).toEqual(['1', 'null', 'undefined', 'false', '0', '{"x":1}']);
  });

  test('keep their type in version 1.1, except for objects; a missing value leaves no field', async () => {
    const missing = undefined;
    expect(values(await split(1.1))).toEqual([1, '1', null, missing, '', false, 0, '{"x":1}']);
    expect(values(await split(1.1, { skipEmptySplitFields: true }))).toEqual([1, '1', 0, '{"x":1}']);
  });

  test('are the names in a single item, which is paired with all items', async () => {
    const parameters = {
      ...fields({ field: 'a' }),
      fieldsToSplitBy: 'a',
      options: { outputFormat: 'singleItem', skipEmptySplitFields: true },
    };
    const inputs: { json: JsonObject }[][] = [[{ json: { a: 'x' } }, { json: {} }]];
    expect(await runNode(summarize, { inputs, parameters, typeVersion: 1.1 })).toEqual([
      [{ json: { x: { count_a: 1 } }, pairedItem: [{ item: 0 }, { item: 1 }] }],
    ]);
  });

  test('a group without values in the next field is an empty object in a single item, and is not a separate item', async () => {
    const inputs: { json: JsonObject }[][] = [[{ json: { a: 'x', n: 1 } }, { json: { a: 'y', b: 'z', n: 2 } }]];
    const summarized = async (outputFormat: string) => {
      const options = { outputFormat, skipEmptySplitFields: true };
      const parameters = { ...fields({ field: 'n' }), fieldsToSplitBy: 'a,b', options };
      return (await runNode(summarize, { inputs, parameters, typeVersion: 1.1 }))[0]?.map(({ json }) => json);
    };
    expect(await summarized('singleItem')).toEqual([{ x: {}, y: { z: { count_n: 1 } } }]);
    expect(await summarized('separateItems')).toEqual([{ a: 'y', b: 'z', count_n: 1 }]);
  });
});
