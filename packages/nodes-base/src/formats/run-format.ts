import { type ExecuteContext, NodeOperationError } from '@sluice/node-sdk';
import { runOnThread, ThreadError, taskModule } from '../threads/work-threads.ts';
import type { FormatTasks, TaskName } from './tasks.ts';

const module = taskModule('run-task', import.meta.url);

/**
 * Reads or writes a file in a format whose library works in one go, on a work thread. Resolves to the
 * parts of the result. Throws a `ThreadError`, or the reason of the signal.
 */
export function runFormat<Name extends TaskName>(
  { workflow, signal }: Pick<ExecuteContext, 'signal'> & { workflow: { id: string } },
  name: Name,
  input: FormatTasks[Name]['input'],
  limits: { deadlineMs?: number } = {},
): Promise<FormatTasks[Name]['part'][]> {
  return runOnThread(module, { name, input }, { owner: workflow.id, signal, size: sizeOf(input), ...limits });
}

/** A `ThreadError` as the failure of an item: `the CSV file cannot be read: …`. Other errors stay as they are. */
export function formatFailure(error: unknown, what: string, itemIndex: number, description: string): unknown {
  if (!(error instanceof ThreadError)) return error;
  return new NodeOperationError(`${what}: ${error.message}`, { itemIndex, description });
}

/** Characters and bytes of all strings and files in an input. */
function sizeOf(input: unknown): number {
  if (typeof input === 'string' || input instanceof Uint8Array) return input.length;
  if (typeof input !== 'object' || input === null) return 0;
  return Object.values(input).reduce((size: number, part) => size + sizeOf(part), 0);
}
