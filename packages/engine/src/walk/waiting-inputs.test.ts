import { describe, expect, test } from '@jest/globals';
import { PreparedNode } from '../graph/prepared-graph.ts';
import type { NodeTask } from '../node/node-task.ts';
import { FinishedRun } from '../node/run-state.ts';
import { asItems } from '../testing/test-nodes.ts';
import { TestSandbox } from '../testing/test-sandbox.ts';
import { WaitingInputs } from './waiting-inputs.ts';

const run = { startTime: 0, executionTime: 0, executionStatus: 'success' as const, source: [] };
const source = { from: new FinishedRun('A', 0, run, []), output: 0 };
const arrival = (input: number, label: string) => ({ input, items: asItems({ label }), source });

function nodeAt(name: string, depth: number): PreparedNode {
  const node = new PreparedNode({ name, type: 'x', position: [0, 0], parameters: {} }, undefined, new TestSandbox());
  node.depth = depth;
  return node;
}

function labels(task: NodeTask | undefined): unknown {
  return task?.inputs.map((items) => items?.[0]?.json['label'] ?? null);
}

describe('a node with several inputs', () => {
  test('gets the oldest arrivals of each input in one round', () => {
    const node = nodeAt('M', 1);
    const waiting = new WaitingInputs(new Map([[node, 2]]));
    expect(waiting.arrive(node, arrival(0, 'a1'))).toBeUndefined();
    expect(waiting.arrive(node, arrival(0, 'a2'))).toBeUndefined();
    expect(labels(waiting.arrive(node, arrival(1, 'b1')))).toEqual(['a1', 'b1']);
    expect(labels(waiting.arrive(node, arrival(1, 'b2')))).toEqual(['a2', 'b2']);
    expect(waiting.release()).toBeUndefined();
  });

  test('is released with its available inputs, one set at a time', () => {
    const node = nodeAt('M', 1);
    const waiting = new WaitingInputs(new Map([[node, 3]]));
    waiting.arrive(node, arrival(2, 'c1'));
    waiting.arrive(node, arrival(1, 'b1'));
    waiting.arrive(node, arrival(1, 'b2'));
    expect(labels(waiting.release())).toEqual([null, 'b1', 'c1']);
    expect(labels(waiting.release())).toEqual([null, 'b2']);
    expect(waiting.release()).toBeUndefined();
  });
});

test('the node nearest to the start is released first, then the node that has waited longest', () => {
  const [deep, first, second] = [nodeAt('deep', 2), nodeAt('first', 1), nodeAt('second', 1)];
  const waiting = new WaitingInputs(new Map([deep, first, second].map((node) => [node, 2])));
  for (const node of [deep, first, second]) waiting.arrive(node, arrival(0, node.name));
  expect([waiting.release(), waiting.release(), waiting.release()].map((task) => task?.node.name)).toEqual([
    'first',
    'second',
    'deep',
  ]);
});
