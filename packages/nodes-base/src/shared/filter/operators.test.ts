import { expect, test } from '@jest/globals';
import { filterOperations, type JsonValue, operandTypes } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { findOperator } from './operators.ts';

test.each(operandTypes)('implements every operation for conditions on a %s', (type) => {
  expect(filterOperations[type].filter((operation) => findOperator(type, operation) === undefined)).toEqual([]);
});

test.each<[string, JsonValue[], JsonValue]>([
  [
    'objects',
    Array.from({ length: 10_000 }, () => ({})),
    Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i])),
  ],
  ['texts', Array.from({ length: 10_000 }, () => 'a'), 'B'.repeat(500_000)],
])(
  'a list of %s is searched for a large value in linear time',
  async (_, left, right) => {
    const operands = { left, right, caseSensitive: false, regex: () => () => false };
    let result: boolean | undefined;
    const busy = await longestBusy(() => {
      result = findOperator('array', 'contains')?.test(operands);
    });
    expect(result).toBe(false);
    expect(busy).toBeLessThan(250);
  },
  20_000,
);
