import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode } from '@sluice/embedded';

/**
 * Creates a directory and its missing parents, for their owner only; existing ones are unchanged.
 * Level by level, because Node's own recursive `mkdir` never ends where nothing can be created
 * (`/proc`). Throws an error that names `SLUICE_HOME`.
 */
export async function makeHome(home: string): Promise<void> {
  for (const directory of levelsOf(resolve(home))) {
    try {
      await mkdir(directory, { mode: 0o700 });
    } catch (error) {
      if (await isDirectory(directory)) continue;
      throw new Error(`${directory} cannot be made a directory (${errorCode(error)}); set another SLUICE_HOME`, {
        cause: error,
      });
    }
  }
}

/** The path and its parents, outermost first. */
function levelsOf(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [...levelsOf(above), path];
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}
