import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { errorMessage } from '@sluice/domain';
import { BuiltInGuard } from '../built-in-guard.ts';
import { keepListeners } from '../keep-listeners.ts';
import { Loading } from '../loading.ts';
import { UncaughtErrors, uncaughtErrorEvents } from '../uncaught-errors.ts';
import type { TrialJob, TrialMessage } from './trial-messages.ts';

/*
 * Loads packages in a separate process, which they may crash, to determine whether they are
 * harmless. Async work of a package is attributed to it even while other packages are loaded. If
 * the process terminates without a message, its parent uses the last message.
 */

const [job] = (await once(process, 'message')) as [TrialJob];
const { aftermathMs = 10 } = job;
// The parent kills this process, and only a process that exits by itself would write its compile
// cache.
flushCompileCache();
/** The path of the package that started the running code. */
const origin = new AsyncLocalStorage<string>();

keepListeners(process, { isPackage: () => origin.getStore() !== undefined, refused: uncaughtErrorEvents });
process.on('disconnect', () => process.exit());
process.on('unhandledRejection', endFailed);
process.on('uncaughtException', endFailed);
process.on('exit', (code) => harm(`it terminates the process (exit code ${code})`));
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const watchdog = new Worker(new URL(`./trial-watchdog-thread.${extension}`, import.meta.url), { workerData: process.ppid });
await once(watchdog, 'online');

const loading = new Loading({
  ...job,
  folder: job.root,
  allow: null,
  uncaughtErrors: new UncaughtErrors({ error: () => undefined }),
});
for (const packageFolder of job.packages) {
  send({ kind: 'begin', path: packageFolder.path });
  const before = loading.failures.length;
  const builtIns = new BuiltInGuard();
  await origin.run(packageFolder.path, () => loading.add(packageFolder));
  await delay(aftermathMs);
  const changed = problemOf(builtIns);
  const reason = loading.failures[before]?.reason ?? changed;
  send({ kind: 'end', path: packageFolder.path, ...(reason !== undefined && { reason }) });
  // A change that cannot be undone would affect all later packages.
  if (problemOf(builtIns) !== undefined) origin.run(packageFolder.path, () => harm(reason ?? '', () => process.exit(1)));
}
send({ kind: 'done' });

function problemOf(builtIns: BuiltInGuard): string | undefined {
  try {
    builtIns.restore();
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

function endFailed(error: unknown): void {
  harm(`it throws an uncaught error while it loads: ${errorMessage(error)}`, () => process.exit(1));
}

function harm(reason: string, then = () => {}): void {
  process.send?.({ kind: 'harm', path: origin.getStore(), reason } satisfies TrialMessage, then);
}

function send(message: TrialMessage): void {
  process.send?.(message);
}
