import type { Item, NodeOutput, TriggerStart } from '@sluice/domain';
import type { PreparedNode } from '../graph/prepared-graph.ts';
import type { ItemSource } from './run-state.ts';

/** A node that is due to run, with the arrivals at its inputs; null for an input without items. */
export interface NodeTask {
  readonly node: PreparedNode;
  readonly inputs: readonly (readonly Item[] | null)[];
  readonly sources: readonly (ItemSource | null)[];
  /** For a sub-node: the node of the main flow that uses it. */
  readonly root?: PreparedNode;
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

/**
 * The task for the arrivals at a node; the last arrival at an input wins. Creates its per-input
 * lists when they are read: they have up to 1,000 entries, and 100,000 tasks may be due at the same
 * time. A class, because V8 takes a microsecond to define getters of an object.
 */
export class ArrivedTask implements NodeTask {
  readonly node: PreparedNode;
  readonly #arrivals: readonly Arrival[];
  #inputs: NodeTask['inputs'] | undefined;
  #sources: NodeTask['sources'] | undefined;

  constructor(node: PreparedNode, arrivals: readonly Arrival[]) {
    this.node = node;
    this.#arrivals = arrivals;
  }

  get inputs(): NodeTask['inputs'] {
    this.#inputs ??= perInput(this.#arrivals, ({ items }) => items);
    return this.#inputs;
  }

  get sources(): NodeTask['sources'] {
    this.#sources ??= perInput(this.#arrivals, ({ source }) => source);
    return this.#sources;
  }
}

function perInput<T>(arrivals: readonly Arrival[], pick: (arrival: Arrival) => T): (T | null)[] {
  const width = arrivals.reduce((most, { input }) => Math.max(most, input + 1), 0);
  const list = new Array<T | null>(width).fill(null);
  for (const arrival of arrivals) list[arrival.input] = pick(arrival);
  return list;
}
