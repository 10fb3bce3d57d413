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
  /** Names of fields as the version writes them. */
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
    const whole = { operation, aggregate: 'aggregateAllItemData', include: 'specifiedFields', fieldsToInclude: names('id') };
    expect(await run(whole)).toEqual([{ data: [{ id: 2 }, { id: 1 }, { id: 1 }] }]);
  });

  test('limits', async () => {
    expect(await run({ operation: 'limit', keep: 'lastItems' })).toEqual([json[2]]);
  });

  test('removes duplicates', async () => {
    const parameters = { operation: 'removeDuplicates', compare: 'selectedFields', fieldsToCompare: names('id') };
    expect(await run(parameters)).toEqual([json[0], json[1]]);
    expect(await run({ ...parameters, compare: 'allFieldsExcept', fieldsToExclude: names('id', 'tags') })).toEqual([json[0]]);
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
    test('splitting out a missing field gives nothing', async () => {
      expect(await missing()).toEqual([]);
    });
  }

  test('another operation is refused', async () => {
    await expect(run({ operation: 'shuffle' })).rejects.toThrow('"operation"');
  });
});
