import type { PreparedNode } from '../graph/prepared-graph.ts';
import { type Arrival, ArrivedTask, type NodeTask } from '../node/node-task.ts';

/** A queued arrival. */
interface Queued {
  arrival: Arrival;
  /** Counts the arrivals of the whole walk. */
  age: number;
}

/** Queued arrivals per input, oldest first; no queue is empty. */
type Queues = Map<number, Queued[]>;

/**
 * Nodes with several inputs, until all inputs that they wait for have arrived.
 *
 * Each input has a queue, so several rounds (a loop, a fan-in at one input) may be in flight: a
 * round takes the oldest arrival of each input. When nothing else is left to do, the walk calls
 * `release`, which runs a node whose missing inputs stay empty. So a branch that ended cannot hang
 * it.
 */
export class WaitingInputs {
  readonly #roundSizes: ReadonlyMap<PreparedNode, number>;
  readonly #fallbacks: Map<PreparedNode, readonly Arrival[]>;
  readonly #waiting = new Map<PreparedNode, Queues>();
  #arrivals = 0;

  /**
   * `roundSizes`: number of inputs that complete a round. Nodes without an entry run at each
   * arrival. `fallbacks`: items for inputs that are empty in the first round of a node.
   */
  constructor(roundSizes: ReadonlyMap<PreparedNode, number>, fallbacks = new Map<PreparedNode, readonly Arrival[]>()) {
    this.#roundSizes = roundSizes;
    this.#fallbacks = fallbacks;
  }

  /** The task that became due through this arrival, if any. */
  arrive(node: PreparedNode, arrival: Arrival): NodeTask | undefined {
    const roundSize = this.#roundSizes.get(node);
    if (roundSize === undefined) return new ArrivedTask(node, [arrival]);
    const queues: Queues = this.#waiting.get(node) ?? new Map();
    const queue = queues.get(arrival.input) ?? [];
    queue.push({ arrival, age: this.#arrivals++ });
    this.#waiting.set(node, queues.set(arrival.input, queue));
    return queues.size >= roundSize ? this.#takeRound(node, queues) : undefined;
  }

  /** Whether arrivals are queued for the node. */
  has(node: PreparedNode): boolean {
    return this.#waiting.has(node);
  }

  /** Whether an arrival is queued at an input of the node. */
  hasArrived(node: PreparedNode, input: number): boolean {
    return this.#waiting.get(node)?.has(input) ?? false;
  }

  /**
   * Releases one node with its available inputs: the node nearest to the start of the graph,
   * because it may still feed the others. Among equals, the node whose round started first wins.
   * `undefined` if no node is waiting.
   */
  release(): NodeTask | undefined {
    const first = this.#first();
    return first && this.#takeRound(first.node, first.queues);
  }

  #first(): { node: PreparedNode; queues: Queues } | undefined {
    let first: { node: PreparedNode; queues: Queues; age: number } | undefined;
    for (const [node, queues] of this.#waiting) {
      const age = ageOf(queues);
      const isBefore = !first || (node.depth - first.node.depth || age - first.age) < 0;
      if (isBefore) first = { node, queues, age };
    }
    return first;
  }

  #takeRound(node: PreparedNode, queues: Queues): NodeTask {
    const round: Arrival[] = [...(this.#fallbacks.get(node) ?? [])];
    this.#fallbacks.delete(node);
    for (const [input, queue] of queues) {
      const oldest = queue.shift();
      if (oldest) round.push(oldest.arrival);
      if (queue.length === 0) queues.delete(input);
    }
    if (queues.size === 0) this.#waiting.delete(node);
    return new ArrivedTask(node, round);
  }
}

function ageOf(queues: Queues): number {
  let age = Number.POSITIVE_INFINITY;
  for (const [oldest] of queues.values()) age = Math.min(age, oldest?.age ?? age);
  return age;
}
