import { expect, test } from '@jest/globals';
import { type JsonObject, NodeOperationError, type NodeType, type WorkflowAccess } from '@sluice/node-sdk';
import { baseNodeTypes } from './base-node-types.ts';
import { createNodeTypeRegistry } from './node-type-registry.ts';
import { type FakeRun, runNode } from './testing/fake-context.ts';
import { thrownErrors } from './testing/thrown-errors.ts';

const refuse = async () => {
  throw new NodeOperationError('there is no such workflow', { description: 'Choose another one' });
};
const noWorkflows: WorkflowAccess = {
  find: refuse,
  define: refuse,
  current: () => ({ workflow: { id: 'w', name: 'W', graphHash: 'h', returnsAllRuns: false } }),
  start: refuse,
};

test('every node error has a hint for the author', () => {
  const { count, withoutHint } = thrownErrors(new URL('.', import.meta.url));
  expect(count).toBeGreaterThan(150);
  expect(withoutHint).toEqual([]);
});

const combine = { mode: 'combine', combineBy: 'combineByFields' };
const unknownOperator = { operator: { type: 'string', operation: 'resembles' } };

test.each<[string, JsonObject, FakeRun?]>([
  ['merge', { ...combine, fieldsToMatchString: '' }],
  ['merge', { ...combine, advanced: true, mergeByFields: { values: [] } }],
  ['merge', { mode: 'chooseBranch', useDataOfInput: 0 }],
  ['merge', { ...combine, fieldsToMatchString: 'a', options: { clashHandling: { values: { resolveClash: 'x' } } } }],
  ['split-in-batches', { batchSize: 0 }],
  ['limit', { maxItems: 'all' }],
  ['wait', { amount: -5, unit: 'seconds' }],
  ['wait', { amount: 1e9, unit: 'days' }],
  ['split-out', {}],
  ['split-out', { fieldToSplitOut: 'a,b', options: { destinationFieldName: 'c' } }],
  ['aggregate', { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'a' }, { fieldToAggregate: 'a' }] } }],
  ['set', { assignments: { assignments: [{ name: 'n', value: 'x', type: 'number' }] } }],
  ['if', { conditions: { conditions: [unknownOperator] } }],
  ['crypto', { action: 'generate', encodingType: 'hex', stringLength: 1e9 }],
  ['execute-workflow', {}, { workflows: noWorkflows }],
  ['execute-workflow', { workflowId: 'gone' }, { workflows: noWorkflows }],
  ['stop-and-error', { errorType: 'errorObject', errorObject: 'x' }],
])('the error of %s with %j contains the item and a hint', async (name, parameters, run = {}) => {
  const type = createNodeTypeRegistry(baseNodeTypes).find(`base.${name}`) as NodeType;
  const failure: unknown = await runNode(type, { inputs: [[{ json: {} }], [{ json: {} }]], ...run, parameters }).catch(
    (error) => error,
  );
  expect(failure).toMatchObject({ message: expect.any(String), itemIndex: 0, description: expect.stringMatching(/.{5}/) });
});
