import { expect, test } from '@jest/globals';
import { errorLines } from './execution-lines.ts';

test('the lines about an error include its node and its hint', () => {
  const error = { message: 'this address is not allowed', name: 'NodeOperationError', node: 'Fetch' };
  expect(errorLines({ ...error, description: 'Set SSRF_ALLOW' })).toEqual([
    ['error', 'this address is not allowed (node "Fetch")'],
    ['hint', 'Set SSRF_ALLOW'],
  ]);
  expect(errorLines(error)).toEqual([['error', 'this address is not allowed (node "Fetch")']]);
  expect(errorLines(undefined)).toEqual([]);
});
