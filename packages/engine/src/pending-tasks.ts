import type { NodeTask } from './node-task.ts';

/**
 * Tasks that are due, in the order of the walk. Depth-first, what a node leads to comes before all that was due already;
 * breadth-first, after it.
 */
export class PendingTasks {
  readonly #isDepthFirst: boolean;
  /** Depth-first: a stack, next one last. Breadth-first: a queue, next one at `#head`. */
  #tasks: NodeTask[] = [];
  #head = 0;

  constructor(isDepthFirst: boolean) {
    this.#isDepthFirst = isDepthFirst;
  }

  /** Adds tasks that became due together, first one first. */
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

  /** Cuts off the taken half of the queue: each task moves at most once on average, and its items are let go. */
  #dropTaken(): void {
    if (this.#head * 2 < this.#tasks.length) return;
    this.#tasks = this.#tasks.slice(this.#head);
    this.#head = 0;
  }
}
