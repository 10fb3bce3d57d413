import { expect, test } from '@jest/globals';
import { filterOperations, operandTypes } from '@sluice/node-sdk';
import { findOperator } from './operators.ts';

test.each(operandTypes)('implements every operation of conditions on a %s', (type) => {
  expect(filterOperations[type].filter((operation) => findOperator(type, operation) === undefined)).toEqual([]);
});
