import { expect, test } from '@jest/globals';
import type { WorkflowGraph } from '@sluice/domain';
import type { EnginePorts } from '@sluice/engine';
import { ComputingGraphs } from './computing-graphs.ts';

const nodeTypes = {
  find: (type: string) => (type === 'unknown' ? undefined : { description: { computesOnly: type !== 'http-request' } }),
} as unknown as EnginePorts['nodeTypes'];
const aGraph = (...types: string[]) => ({ nodes: types.map((type) => ({ type })) }) as unknown as WorkflowGraph;
const ref = { executionId: '1', attempt: 1 };

test('a workflow computes if all nodes of its last graph do', () => {
  const graphs = new ComputingGraphs(nodeTypes);
  graphs.note('computing', 'h', aGraph('webhook', 'set'));
  graphs.note('acting', 'h', aGraph('webhook', 'http-request'));
  graphs.note('unknown', 'h', aGraph('webhook', 'unknown'));
  expect(graphs.refOf({ ...ref, workflowId: 'computing' })).toEqual({ ...ref, graphHash: 'h' });
  for (const workflowId of ['acting', 'unknown', 'never run']) expect(graphs.refOf({ ...ref, workflowId })).toBeUndefined();
  graphs.note('computing', 'of the next version', aGraph('set'));
  expect(graphs.refOf({ ...ref, workflowId: 'computing' })).toMatchObject({ graphHash: 'of the next version' });
  graphs.note('computing', 'of an acting version', aGraph('http-request'));
  expect(graphs.refOf({ ...ref, workflowId: 'computing' })).toBeUndefined();
});

test('a resumed execution, and one of an unknown workflow, are claimed first', () => {
  const graphs = new ComputingGraphs(nodeTypes);
  graphs.note('computing', 'h', aGraph('webhook', 'set'));
  expect(graphs.refOf({ executionId: '1', attempt: 2, workflowId: 'computing' })).toBeUndefined();
  expect(graphs.refOf(ref)).toBeUndefined();
});
