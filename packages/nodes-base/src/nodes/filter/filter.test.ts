import { describe, expect, jest, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { DateTime } from 'luxon';
import { runForJson, runNode } from '../../testing/fake-context.ts';
import { filter } from './filter.ts';

const above = (left: JsonValue, right: JsonValue, options: JsonObject = { typeValidation: 'strict' }): JsonObject => ({
  conditions: {
    options,
    conditions: [{ leftValue: left, rightValue: right, operator: { type: 'number', operation: 'gt' } }],
    combinator: 'and',
  },
});
const ids = [{ id: 1 }, { id: 2 }, { id: 3 }];
const idAbove = (limit: number) => (index: number) => above(ids[index]?.id ?? 0, limit);

describe('filter 2', () => {
  test.each([2, 2.1, 2.2, 2.3])(
    'version %d keeps the items that meet the conditions, paired, and shows the rest',
    async (typeVersion) => {
      expect(await runNode(filter, { typeVersion, json: ids, parameters: idAbove(1) })).toEqual([
        [
          { json: { id: 2 }, pairedItem: { item: 1 } },
          { json: { id: 3 }, pairedItem: { item: 2 } },
        ],
        [{ json: { id: 1 }, pairedItem: { item: 0 } }],
      ]);
    },
  );

  test('the error for an operand of another type contains condition and type', async () => {
    await expect(runNode(filter, { parameters: above('5', 1) })).rejects.toThrow('the left value of condition 1');
  });

  test.each(['number', 'boolean', 'string'])(
    'converts a %s loosely, regardless of the members of its objects',
    async (type) => {
      const conditions = [
        { leftValue: [{ toString: 1 }], rightValue: [{ valueOf: 1 }], operator: { type, operation: 'equals' } },
      ];
      const parameters = { conditions: { options: { typeValidation: 'loose', version: 2 }, conditions } };
      const failure = await runForJson(filter, { parameters }).then(String, (error: Error) => error.message);
      expect(failure).not.toContain('primitive value');
    },
  );

  test.each<[number, JsonObject]>([
    [2, { options: { looseTypeValidation: true } }],
    [2.2, { looseTypeValidation: true }],
  ])('version %d converts types by its own option if the conditions have no option', async (typeVersion, more) => {
    const parameters = { ...above('5', 1, {}), ...more };
    expect(await runForJson(filter, { typeVersion, parameters })).toEqual([{}]);
  });

  test('a failed item is discarded unchanged if the node continues on its regular output', async () => {
    const run = { json: ids, parameters: (index: number) => above(index === 0 ? 'x' : 5, 1), continueOnFail: true };
    expect(await runForJson(filter, run)).toEqual([{ id: 2 }, { id: 3 }]);
    expect(await runForJson(filter, run, 1)).toEqual([{ id: 1 }]);
  });
});

test.each<[JsonObject, string, JsonValue, boolean]>([
  [{ type: 'any' }, 'exists', 0, true],
  [{ type: 'any' }, 'notExists', null, true],
  [{ type: 'any' }, 'empty', [], true],
  [{ type: 'any' }, 'notEmpty', 'x', true],
  [{}, 'exists', null, false],
])('a value of any type, with an operator of type %j: %s %j is %s', async (type, operation, leftValue, expected) => {
  const parameters = { conditions: { conditions: [{ leftValue, operator: { ...type, operation } }] } };
  expect(await runForJson(filter, { typeVersion: 2.2, json: [{}], parameters })).toHaveLength(expected ? 1 : 0);
});

describe('filter 1', () => {
  const conditions: JsonObject = {
    number: [{ value1: 1, operation: 'larger', value2: 5 }],
    string: [{ value1: 'a', value2: 'a' }],
  };

  test.each([
    [undefined, 0],
    ['AND', 0],
    ['OR', 1],
  ])('combined by %s', async (combineConditions, count) => {
    const parameters: JsonObject = combineConditions === undefined ? { conditions } : { conditions, combineConditions };
    expect(await runForJson(filter, { typeVersion: 1, parameters })).toHaveLength(count);
  });

  test('an unknown combination is refused', async () => {
    const parameters = { conditions, combineConditions: 'XOR' };
    await expect(runNode(filter, { typeVersion: 1, parameters })).rejects.toThrow('"combineConditions"');
  });
});

test.each<[number, JsonObject]>([
  [1, { dateTime: [{ value1: '2024-01-01', operation: 'before', value2: '2023-01-01' }] }],
  [
    2.2,
    {
      combinator: 'or',
      conditions: Array.from({ length: 3 }, () => ({
        leftValue: '2024-01-01',
        rightValue: '2023-01-01',
        operator: { type: 'dateTime', operation: 'before' },
      })),
    },
  ],
])('version %d parses constant dates once, not for each item and condition', async (typeVersion, conditions) => {
  const parsed = jest.spyOn(DateTime.prototype, 'toMillis');
  const json = Array.from({ length: 100 }, (_, id) => ({ id }));
  expect(await runForJson(filter, { typeVersion, json, parameters: { conditions } })).toEqual([]);
  expect(parsed).toHaveBeenCalledTimes(2);
  parsed.mockRestore();
});
