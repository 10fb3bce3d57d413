import { expect, test } from '@jest/globals';
import { filterOperations, operandTypes } from '@sluice/node-sdk';
import { findOperator } from './operators.ts';

test.each(operandTypes)('every operation that a condition on a %s can name exists', (type) => {
  expect(filterOperations[type].filter((operation) => findOperator(type, operation) === undefined)).toEqual([]);
});
