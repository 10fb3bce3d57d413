import { expect, jest, test } from '@jest/globals';
import type { ExecuteContext } from '@sluice/node-sdk';
import { runDetailFunctions } from './run-detail-functions.ts';

function noting() {
  const addHints = jest.fn<NonNullable<ExecuteContext['addHints']>>();
  const addRunMetadata = jest.fn<NonNullable<ExecuteContext['addRunMetadata']>>();
  return { addHints, addRunMetadata, ...runDetailFunctions({ addHints, addRunMetadata }) };
}

test('hints are added to the run; invalid ones are dropped', () => {
  const { addHints, addExecutionHints } = noting();
  addExecutionHints({ message: 'one', location: 'outputPane' }, undefined, { type: 'info' }, 'text', { message: 'two' });
  expect(addHints.mock.calls).toEqual([[{ message: 'one', location: 'outputPane' }, { message: 'two' }]]);
});

test('metadata is added to the run as JSON', () => {
  const { addRunMetadata, setMetadata } = noting();
  setMetadata({ at: new Date(0), left: undefined, subExecution: { executionId: '7' } });
  expect(addRunMetadata.mock.calls).toEqual([[{ at: '1970-01-01T00:00:00.000Z', subExecution: { executionId: '7' } }]]);
});

test.each(['text', 5, [1]])('metadata that is not an object is rejected: %j', (metadata) => {
  expect(() => noting().setMetadata(metadata)).toThrow('not a JSON object');
});

test('both functions can be called if nothing is stored', () => {
  const { addExecutionHints, setMetadata } = runDetailFunctions({});
  expect([addExecutionHints({ message: 'x' }), setMetadata({})]).toEqual([undefined, undefined]);
});
