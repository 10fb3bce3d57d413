import { type ExecuteContext, NodeOperationError } from '@sluice/node-sdk';
import { runOnThread, ThreadError, taskModule } from '../threads/work-threads.ts';
import type { FormatTasks, TaskName } from './tasks.ts';

const module = taskModule('run-task', import.meta.url);

/** Reads and writes formats whose libraries work in one go: each file on a work thread, one file of a node run at a time. */
export class FormatThread {
  readonly #owner: string;
  readonly #signal: AbortSignal;
  readonly #limits: { deadlineMs?: number };

  constructor(owner: string, signal: AbortSignal, limits: { deadlineMs?: number } = {}) {
    this.#owner = owner;
    this.#signal = signal;
    this.#limits = limits;
  }

  /** The parts of a task's result. Throws a `ThreadError`, or the reason of the signal. */
  run<Name extends TaskName>(name: Name, input: FormatTasks[Name]['input']): Promise<FormatTasks[Name]['part'][]> {
    const options = { owner: this.#owner, signal: this.#signal, size: sizeOf(input), ...this.#limits };
    return runOnThread(module, { name, input }, options);
  }
}

/** Gives `work` the threads for the files of a node run. */
export function withFormatThread<T>(
  { signal, workflow }: ExecuteContext,
  work: (formats: FormatThread) => Promise<T>,
): Promise<T> {
  return work(new FormatThread(workflow.id, signal));
}

/** A `ThreadError` as the failure of an item: `the CSV file cannot be read: …`. Other errors stay as they are. */
export function formatFailure(error: unknown, what: string, itemIndex: number, description: string): unknown {
  if (!(error instanceof ThreadError)) return error;
  return new NodeOperationError(`${what}: ${error.message}`, { itemIndex, description });
}

/** Characters and bytes of all texts and files in an input. */
function sizeOf(input: unknown): number {
  if (typeof input === 'string' || input instanceof Uint8Array) return input.length;
  if (typeof input !== 'object' || input === null) return 0;
  return Object.values(input).reduce((size: number, part) => size + sizeOf(part), 0);
}
