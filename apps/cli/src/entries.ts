import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { limitMemory, memoryOptions } from './memory-options.ts';

export type AppName = 'api' | 'worker';

/** Runs an app in this process: its main module reads the settings from the environment. */
export async function runApp(app: AppName): Promise<void> {
  if (!isSupervised()) limitMemory();
  // Collects the old generation when it has tripled instead of quadrupled. With lower values,
  // executions with large data take longer: by 20% at 100, by 33% at 50.
  setFlagsFromString('--heap-growing-percent=200');
  // The young generation of an API must not grow during startup, because an idle API would never
  // use the extra 10 MB. Under load it must grow: otherwise, an API serves 20% fewer requests.
  if (app === 'api') setFlagsFromString('--semi-space-growth-factor=1');
  if (!isSupervised()) await (await import('./checks/log-start-checks.ts')).logStartChecks(app);
  await import(import.meta.resolve(`@sluice/${app}/main`));
  setFlagsFromString('--semi-space-growth-factor=2'); // V8's default
}

/** Whether `sluice up` started this process; it has already run the checks. */
function isSupervised(): boolean {
  return process.send !== undefined;
}

/** Arguments of `node` that run a `sluice` command from source or the build, as here. */
export function nodeArguments(command: string): string[] {
  const conditions = process.execArgv.filter((argument) => argument.startsWith('--conditions='));
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
  return [...conditions, ...memoryOptions(), fileURLToPath(new URL(`./main${extension}`, import.meta.url)), command];
}
