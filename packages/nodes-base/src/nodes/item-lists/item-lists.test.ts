import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { runForJson } from '../../testing/fake-context.ts';
import { itemLists } from './item-lists.ts';

const json = [
  { id: 2, tags: ['x', 'y'], keep: 1 },
  { id: 1, tags: ['z'], keep: 1 },
  { id: 1, tags: ['z'], keep: 1 },
];
const versions = [1, 2, 2.1, 2.2, 3, 3.1];

describe.each(versions)('item lists %d', (typeVersion) => {
  const run = (parameters: JsonObject, input: JsonObject[] = json) =>
    runForJson(itemLists, { json: input, parameters, typeVersion });
  /** Field names in the version's form. */
  const names = (...list: string[]) =>
    typeVersion < 3 ? { fields: list.map((fieldName) => ({ fieldName })) } : list.join(',');

  test('splits out', async () => {
    const parameters = { fieldToSplitOut: 'tags', include: 'selectedOtherFields', fieldsToInclude: names('id') };
    expect(await run(parameters)).toEqual([
      { id: 2, tags: 'x' },
      { id: 2, tags: 'y' },
      { id: 1, tags: 'z' },
      { id: 1, tags: 'z' },
    ]);
  });

  test('aggregates', async () => {
    const operation = typeVersion < 3 ? 'aggregateItems' : 'concatenateItems';
    const fieldsToAggregate = { fieldToAggregate: [{ fieldToAggregate: 'id' }] };
    expect(await run({ operation, fieldsToAggregate })).toEqual([{ id: [2, 1, 1] }]);
    const wholeItems = {
      operation,
      aggregate: 'aggregateAllItemData',
      include: 'specifiedFields',
      fieldsToInclude: names('id'),
    };
    expect(await run(wholeItems)).toEqual([{ data: [{ id: 2 }, { id: 1 }, { id: 1 }] }]);
  });

  test('limits', async () => {
    expect(await run({ operation: 'limit', keep: 'lastItems' })).toEqual([json[2]]);
  });

  test('removes duplicates', async () => {
    const parameters = { operation: 'removeDuplicates', compare: 'selectedFields', fieldsToCompare: names('id') };
    expect(await run(parameters)).toEqual([json[0], json[1]]);
    expect(
      await run(
        { ...parameters, compare: 'allFieldsExcept', fieldsToExclude: names('id', 'tags') },
        json.map(({ id, keep }) => ({ id, keep })),
      ),
    ).toEqual([{ id: 2, keep: 1 }]);
  });

  test('compares values of different types in version 3.1 only', async () => {
    const parameters = { operation: 'removeDuplicates', compare: 'selectedFields', fieldsToCompare: names('id') };
    const mixed = [{ id: 1 }, { id: '1' }, { id: 1 }];
    if (typeVersion < 3.1) await expect(run(parameters, mixed)).rejects.toThrow('not always of the same type');
    else expect(await run(parameters, mixed)).toEqual([{ id: 1 }, { id: '1' }]);
  });

  test('sorts', async () => {
    const sortFieldsUi = { sortField: [{ fieldName: 'id' }] };
    expect((await run({ operation: 'sort', sortFieldsUi })).map(({ id }) => id)).toEqual([1, 1, 2]);
  });

  test('summarizes', async () => {
    const fieldsToSummarize = { values: [{ aggregation: 'sum', field: 'id' }] };
    expect(await run({ operation: 'summarize', fieldsToSummarize })).toEqual([{ sum_id: 4 }]);
  });

  const missing = () => run({ fieldToSplitOut: 'none' });
  if (typeVersion < 2.1) {
    test('splitting out a missing field is an error', async () => {
      await expect(missing()).rejects.toThrow('no field "none"');
    });
  } else {
    test('splitting out a missing field returns nothing', async () => {
      expect(await missing()).toEqual([]);
    });
  }

  test('splits values that are not lists from version 2.2 on, and objects from version 2 on', async () => {
    const split = (value: JsonObject[string]) => run({ fieldToSplitOut: 'v' }, [{ v: value }]);
    if (typeVersion < 2) await expect(split({ a: 1 })).rejects.toThrow('"v" must be a list');
    else expect(await split({ a: 1 })).toEqual([{ v: 1 }]);
    if (typeVersion < 2.2) await expect(split(5)).rejects.toThrow('"v" must be a list');
    else expect(await split(5)).toEqual([{ v: 5 }]);
  });

  test('a field that no item has is an error before version 2.1', async () => {
    const operation = typeVersion < 3 ? 'aggregateItems' : 'concatenateItems';
    const aggregated = run({ operation, fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'none' }] } });
    const summed = run({ operation: 'summarize', fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'none' }] } });
    if (typeVersion < 2.1) {
      await expect(aggregated).rejects.toThrow('no item has the field "none"');
      await expect(summed).rejects.toThrow('no item has the field "none"');
    } else {
      expect(await aggregated).toEqual([{ none: [] }]);
      expect(await summed).toEqual([{ sum_none: 0 }]);
    }
  });

  test('summarizes by strings, whole numbers first', async () => {
    const input: JsonObject[] = [{ g: 'x' }, { g: 2 }, { g: null }, {}, { g: '1' }, { g: false }];
    const parameters = (options: JsonObject) => ({
      operation: 'summarize',
      fieldsToSummarize: { values: [{ aggregation: 'count', field: 'g', includeEmpty: true }] },
      fieldsToSplitBy: 'g',
      options,
    });
    const split = async (options: JsonObject) => (await run(parameters(options), input)).map(({ g, count_g }) => [g, count_g]);
    const all = [
      ['1', 1],
      ['2', 1],
      ['x', 1],
      ['null', 0],
      ['undefined', 0],
      ['false', 1],
    ];
    expect(await split({})).toEqual(all);
    expect(await split({ skipEmptySplitFields: true })).toEqual(all.slice(0, 4));
  });

  test('names of summarized fields keep their dots in version 1', async () => {
    const parameters = {
      operation: 'summarize',
      fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'o.n' }] },
      fieldsToSplitBy: 'o.g',
    };
    const expected = typeVersion < 2 ? { 'o.g': 'x', 'sum_o.n': 1 } : { o_g: 'x', sum_o_n: 1 };
    expect(await run(parameters, [{ o: { g: 'x', n: 1 } }])).toEqual([expected]);
  });

  test('the largest of strings is null before version 3', async () => {
    const fieldsToSummarize = { values: [{ aggregation: 'max', field: 't' }] };
    expect(await run({ operation: 'summarize', fieldsToSummarize }, [{ t: 'x' }])).toEqual([
      { max_t: typeVersion < 3 ? null : 'x' },
    ]);
    expect(await run({ operation: 'summarize', fieldsToSummarize }, [{ t: 2 }, { t: 1 }])).toEqual([{ max_t: 2 }]);
  });

  test('another operation is refused', async () => {
    await expect(run({ operation: 'shuffle' })).rejects.toThrow('"operation"');
  });
});
