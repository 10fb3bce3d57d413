import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '@sluice/config';

const execFileAsync = promisify(execFile);

interface CommandOptions {
  cwd?: string | undefined;
  timeoutMs?: number | undefined;
  env?: Record<string, string> | undefined;
  uid?: number | undefined;
  gid?: number | undefined;
  /** Stops the program. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs a program to its end, without a shell, and resolves to its output. Rejects with its error
 * output if it fails.
 */
export async function runCommand(file: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { timeoutMs = 60_000, env = {}, ...rest } = options;
  const { stdout } = await execFileAsync(file, args, {
    ...rest,
    timeout: timeoutMs,
    env: childEnvironment({ LC_ALL: 'C', ...env }),
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
}

/** Whether a program succeeds; used to test what a machine supports. */
export async function succeeds(file: string, args: readonly string[], timeoutMs = 10_000): Promise<boolean> {
  try {
    await runCommand(file, args, { timeoutMs });
    return true;
  } catch {
    return false;
  }
}

/** The first executable with this name on a search path. */
export async function findProgram(name: string, searchPath: readonly string[]): Promise<string | undefined> {
  for (const directory of searchPath) {
    const file = join(directory, name);
    try {
      await access(file, constants.X_OK);
      return file;
    } catch {
      // Not here; the next directory may have it.
    }
  }
  return undefined;
}
