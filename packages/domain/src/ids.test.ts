import { describe, expect, test } from '@jest/globals';
import { type ExecutionId, isExecutionId, isId, randomId, type WorkflowId } from './ids.ts';

test('an id of one kind cannot be assigned to another', () => {
  const workflowId: WorkflowId = randomId();
  // @ts-expect-error: this line is the test
  const executionId: ExecutionId = workflowId;
  expect(isExecutionId(executionId)).toBe(false);
});

describe('an id format', () => {
  test('accepts generated ids, and ids that callers may choose', () => {
    expect([randomId(), randomId(64), 'my_own-1'].map(isId)).toEqual([true, true, true]);
  });

  test('rejects anything else', () => {
    expect(['', 'a/b', 'ä', 'a b', 'a\n', 'x'.repeat(65)].map(isId)).toEqual(Array(6).fill(false));
  });
});

test.each([
  ['1', true],
  ['9223372036854775807', true],
  ['9223372036854775808', false],
  ['0', false],
  ['01', false],
  ['-1', false],
  ['x', false],
  ['', false],
])('%j is the id of an execution: %s', (text, expected) => {
  expect(isExecutionId(text)).toBe(expected);
});
