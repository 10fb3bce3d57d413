import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { type JsonObject, NodeOperationError, type NodeType, type WorkflowAccess } from '@sluice/node-sdk';
import { baseNodeTypes } from './base-node-types.ts';
import { createNodeTypeRegistry } from './node-type-registry.ts';
import { type FakeRun, runNode } from './testing/fake-context.ts';

const refuse = async () => {
  throw new NodeOperationError('there is no such workflow', { description: 'Choose another one' });
};
const noWorkflows: WorkflowAccess = { find: refuse, define: refuse, start: refuse };

/** Source of each call of a function whose name matches the pattern, up to the closing bracket. */
function callsIn(source: string, name: RegExp): string[] {
  return [...source.matchAll(name)].map(({ index, 0: start }) => source.slice(index, endOfCall(source, index + start.length)));
}

/** Index after the bracket that closes the one at `start`; skips strings. */
function endOfCall(source: string, start: number): number {
  let depth = 1;
  let quote = '';
  let index = start;
  for (; depth > 0 && index < source.length; index++) {
    const character = source.charAt(index);
    if (character === '\\') index++;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (/['"`]/.test(character)) quote = character;
    else if (/[([{]/.test(character)) depth++;
    else if (/[)\]}]/.test(character)) depth--;
  }
  return index;
}

test('every error of a node has a hint for the author', () => {
  const root = new URL('.', import.meta.url).pathname;
  const files = globSync(`${root}**/*.ts`).filter((file) => !/\.test\.ts$|\/testing\//.test(file));
  const thrown = files.flatMap((file) =>
    callsIn(readFileSync(file, 'utf8'), /new Node(?:Operation|Api)Error\(/g).map((call) => ({
      file: relative(root, file),
      call,
    })),
  );
  expect(thrown.length).toBeGreaterThan(150);
  expect(thrown.filter(({ call }) => !/\bdescription\b|\b\w*[hH]int\b/.test(call))).toEqual([]);
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
])('%s with %j names the item, and what to do', async (name, parameters, run = {}) => {
  const type = createNodeTypeRegistry(baseNodeTypes).find(`base.${name}`) as NodeType;
  const failure: unknown = await runNode(type, { inputs: [[{ json: {} }], [{ json: {} }]], ...run, parameters }).catch(
    (error) => error,
  );
  expect(failure).toMatchObject({ message: expect.any(String), itemIndex: 0, description: expect.stringMatching(/.{5}/) });
});
