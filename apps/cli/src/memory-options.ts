import { childEnvironment } from '@sluice/config';

interface ProcessSettings {
  /** `node` options on the command line of this process. */
  execArgv?: readonly string[];
  variables?: Readonly<Record<string, string | undefined>>;
}

const isMemoryOption = (option: string): boolean => /^--max[-_]semi[-_]space[-_]size(?:=|$)/.test(option);

/**
 * `node` options for the API and workers: a young generation of at most 16 MB instead of 64, unless
 * the operator has chosen another size. The container image sets the same option.
 */
export function memoryOptions({
  execArgv = process.execArgv,
  variables = childEnvironment({}),
}: ProcessSettings = {}): readonly string[] {
  const chosen = execArgv.filter(isMemoryOption);
  if (chosen.length > 0) return chosen;
  // An option on the command line would override one in the environment.
  const inherited = (variables['NODE_OPTIONS'] ?? '').split(/\s+/);
  return inherited.some(isMemoryOption) ? [] : ['--max-semi-space-size=8'];
}

/**
 * Environment variables of the API and workers: glibc keeps freed memory in two arenas instead of
 * eight per core, unless the operator has chosen another number. The container image sets the same
 * variable.
 */
export function memoryVariables({ variables = childEnvironment({}) }: ProcessSettings = {}): Record<string, string> {
  return { MALLOC_ARENA_MAX: variables['MALLOC_ARENA_MAX'] ?? '2' };
}

/**
 * Re-executes this process, under the same PID, with the options and variables above, which take
 * effect only at startup. Does nothing if they are set already, or if the platform has no `execve`
 * (Windows).
 */
export function limitMemory(): void {
  const variables = childEnvironment({});
  const wanted = childEnvironment(memoryVariables());
  const missing = memoryOptions().filter((option) => !process.execArgv.includes(option));
  if (missing.length === 0 && wanted['MALLOC_ARENA_MAX'] === variables['MALLOC_ARENA_MAX']) return;
  const args = [process.execPath, ...process.execArgv, ...missing, ...process.argv.slice(1)];
  try {
    process.execve?.(process.execPath, args, wanted);
  } catch {
    // The process works without them, but uses more memory.
  }
}
