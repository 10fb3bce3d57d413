import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

const children = new Set<ChildProcess>();

/** Registers a child process, so that a signal that stops the benchmark ends it, too. */
export function track(child: ChildProcess): ChildProcess {
  children.add(child);
  return child.once('exit', () => children.delete(child));
}

export async function endChild(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/**
 * On Ctrl-C or SIGTERM, kills the children, which may be suspended, then calls `stop`, and exits. A
 * second signal ends the benchmark at once. Returns a function that removes these handlers.
 */
export function stopOnSignal(stop: () => Promise<void>): () => void {
  const onSignal = (signal: 'SIGINT' | 'SIGTERM') => {
    removeHandlers();
    for (const child of children) child.kill('SIGKILL');
    void stop().finally(() => process.exit(128 + constants.signals[signal]));
  };
  const removeHandlers = () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return removeHandlers;
}
