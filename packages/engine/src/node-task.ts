import type { Item, NodeOutput, TriggerStart } from '@sluice/domain';
import type { PreparedNode } from './prepared-graph.ts';
import type { ItemSource } from './run-state.ts';

/** A node that is due to run, with the arrivals at its inputs; null for an input without items. */
export interface NodeTask {
  node: PreparedNode;
  inputs: readonly (readonly Item[] | null)[];
  sources: readonly (ItemSource | null)[];
  /** Output to use instead of executing the node. */
  output?: NodeOutput;
}

/** Items in transit to an input. */
export interface Arrival {
  input: number;
  items: readonly Item[];
  source: ItemSource;
}

/** A node without predecessors starts with one empty item. */
export function startTask(node: PreparedNode): NodeTask {
  return { node, inputs: [[{ json: {} }]], sources: [] };
}

/**
 * A trigger starts with the items of its request. A type without support for requests outputs them
 * unchanged.
 */
export function calledTask(node: PreparedNode, called: TriggerStart): NodeTask {
  const { items } = called;
  const knowsCalls = 'node' in called ? called.output === undefined : node.type?.description.name === called.type;
  if (knowsCalls) return { node, inputs: [items], sources: [] };
  const before = new Array<null>('node' in called ? (called.output ?? 0) : 0).fill(null);
  return { node, inputs: [items], sources: [], output: [...before, [...items]] };
}

export function taskOf(node: PreparedNode, arrivals: readonly Arrival[]): NodeTask {
  const width = arrivals.reduce((most, { input }) => Math.max(most, input + 1), 0);
  const inputs: (readonly Item[] | null)[] = new Array(width).fill(null);
  const sources: (ItemSource | null)[] = new Array(width).fill(null);
  for (const { input, items, source } of arrivals) {
    inputs[input] = items;
    sources[input] = source;
  }
  return { node, inputs, sources };
}
