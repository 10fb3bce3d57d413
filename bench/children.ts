import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

const children = new Set<ChildProcess>();

/** Registers a child process, so that `stopOnSignal` can kill it. */
export function track(child: ChildProcess): ChildProcess {
  children.add(child);
  return child.once('exit', () => children.delete(child));
}

/** Starts bare Express with one route, which responds with `body`. */
export async function startBareExpress(body: string): Promise<{ child: ChildProcess; port: number }> {
  const child = track(fork(new URL('./bare-express.ts', import.meta.url)));
  child.send(body);
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

export async function endChild(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/**
 * On Ctrl-C or SIGTERM, kills the children, because they may be suspended, then calls `stop`, and
 * exits. A second signal ends the benchmark immediately. Returns a function that removes these
 * handlers.
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
