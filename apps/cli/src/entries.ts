import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { limitMemory, memoryOptions } from './memory-options.ts';

export type AppName = 'api' | 'worker';

/**
 * Runs an app in this process by importing its main module. It reads its configuration from the
 * environment.
 */
export async function runApp(app: AppName): Promise<void> {
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, exitUnlessHandled);
  if (!isSupervised()) limitMemory();
  // Collects the old generation once it has tripled, instead of quadrupled. At lower values, executions with
  // much data take longer: a fifth at 100, a third at 50.
  setFlagsFromString('--heap-growing-percent=200');
  // During startup, the young generation of an API must not grow: an idle API would keep 10 MB that it
  // never uses. Under load it must: at its initial size, an API answers a fifth fewer requests.
  if (app === 'api') setFlagsFromString('--semi-space-growth-factor=1');
  if (!isSupervised()) await (await import('./checks/log-start-checks.ts')).logStartChecks(app);
  await import(import.meta.resolve(`@sluice/${app}/main`));
  setFlagsFromString('--semi-space-growth-factor=2'); // the default of V8
}

/**
 * Ends the process at a signal that arrives before the app handles it: the first process of a
 * container would ignore it.
 */
function exitUnlessHandled(name: 'SIGINT' | 'SIGTERM'): void {
  if (process.listenerCount(name) === 1) process.exit(128 + constants.signals[name]);
}

/** Whether `sluice up` started this process; it has made the checks already. */
function isSupervised(): boolean {
  return process.send !== undefined;
}

/**
 * Arguments that make `node` run a command of this command line, from source or built, like this
 * process.
 */
export function nodeArguments(command: string): string[] {
  const conditions = process.execArgv.filter((argument) => argument.startsWith('--conditions='));
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
  return [...conditions, ...memoryOptions(), fileURLToPath(new URL(`./main${extension}`, import.meta.url)), command];
}
