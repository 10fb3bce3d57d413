import type { PreparedNode } from '../graph/prepared-graph.ts';
import type { NodeTask } from '../node/node-task.ts';

/**
 * Due tasks in walk order. Depth-first puts the successors of a node before all pending tasks;
 * breadth-first puts them after.
 */
export class PendingTasks {
  readonly #isDepthFirst: boolean;
  /** Depth-first: a stack, next task last. Breadth-first: a queue, next task at `#head`. */
  #tasks: NodeTask[] = [];
  #head = 0;

  constructor(isDepthFirst: boolean) {
    this.#isDepthFirst = isDepthFirst;
  }

  /** Adds tasks that became due together, in their order. */
  add(tasks: readonly NodeTask[]): void {
    if (this.#isDepthFirst) for (let i = tasks.length - 1; i >= 0; i--) this.#tasks.push(tasks[i] as NodeTask);
    else for (const task of tasks) this.#tasks.push(task);
  }

  next(): NodeTask | undefined {
    if (this.#isDepthFirst) return this.#tasks.pop();
    const task = this.#tasks[this.#head];
    if (task !== undefined) this.#head++;
    this.#dropTaken();
    return task;
  }

  /** Nodes of the due tasks. */
  nodes(): ReadonlySet<PreparedNode> {
    return new Set(this.#tasks.slice(this.#head).map(({ node }) => node));
  }

  /**
   * Removes the processed half of the queue and releases its items. Each task moves at most once on
   * average.
   */
  #dropTaken(): void {
    if (this.#head * 2 < this.#tasks.length) return;
    this.#tasks = this.#tasks.slice(this.#head);
    this.#head = 0;
  }
}
