import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

export type AppName = 'api' | 'worker';

/**
 * Runs an app in this process by importing its main module. It reads its configuration from the
 * environment.
 */
export async function runApp(app: AppName): Promise<void> {
  // Keeps the young generation at its initial size: an idle API would otherwise hold some 10 MB in
  // vain after startup.
  if (app === 'api') setFlagsFromString('--semi-space-growth-factor=1');
  if (!isSupervised()) await (await import('./checks/log-start-checks.ts')).logStartChecks(app);
  await import(import.meta.resolve(`@sluice/${app}/main`));
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
  return [...conditions, fileURLToPath(new URL(`./main${extension}`, import.meta.url)), command];
}
