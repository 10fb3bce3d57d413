import { type ExecuteContext, NodeOperationError } from '@sluice/node-sdk';
import { runOnThread, type TaskOptions, ThreadError, taskModule } from '../threads/work-threads.ts';
import type { FormatTasks, TaskName } from './tasks.ts';

const module = taskModule('run-task', import.meta.url);

/**
 * Reads or writes a file on a work thread, for formats whose library works in a single call.
 * Resolves to the parts of the result. Throws a `ThreadError`, or the signal's reason.
 */
export function runFormat<Name extends TaskName>(
  { workflow, signal }: Pick<ExecuteContext, 'signal'> & { workflow: TaskOptions['owner'] },
  name: Name,
  input: FormatTasks[Name]['input'],
  limits: { deadlineMs?: number } = {},
): Promise<FormatTasks[Name]['part'][]> {
  return runOnThread(module, { name, input }, { owner: workflow, signal, size: sizeOf(input), ...limits });
}

/**
 * A `ThreadError` as an item's failure: `the CSV file cannot be read: …`. Other errors are
 * unchanged.
 */
export function formatFailure(error: unknown, what: string, itemIndex: number, description: string): unknown {
  if (!(error instanceof ThreadError)) return error;
  return new NodeOperationError(`${what}: ${error.message}`, { itemIndex, description });
}

/** Total length of all strings and files in an input, in characters and bytes. */
function sizeOf(input: unknown): number {
  if (typeof input === 'string' || input instanceof Uint8Array) return input.length;
  if (typeof input !== 'object' || input === null) return 0;
  return Object.values(input).reduce((size: number, part) => size + sizeOf(part), 0);
}
