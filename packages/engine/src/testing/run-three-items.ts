import type { RunData } from '@sluice/domain';
import { graphOf, type NodeSpec, runGraph, testEngine } from './run-graph.ts';
import { asItems } from './test-nodes.ts';

export const pinnedTrigger = { T: asItems({ id: 1 }, { id: 2, bad: true }, { id: 3 }) };

/** Sends three items to `X`, whose outputs lead to `Out` and `Errors`. */
export function run(x: NodeSpec, mode: 'manual' | 'trigger' = 'manual', engine = testEngine()) {
  const graph = graphOf(
    ['T -> X', 'X:0 -> Out', 'X:1 -> Errors'],
    { T: { type: 'manual-trigger' }, X: x },
    { pinData: pinnedTrigger },
  );
  return runGraph(graph, { mode }, engine);
}

/** `pairedItem` of the items that `X` emitted on one output. */
export function pairsOf(runData: RunData, output = 0) {
  return runData['X']?.[0]?.data?.['main']?.[output]?.map(({ pairedItem }) => pairedItem);
}
