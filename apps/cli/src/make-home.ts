import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf } from '@sluice/domain';

/**
 * Creates a directory and its missing parents, accessible to the owner only. Existing directories
 * are unchanged. Works level by level, because Node's recursive `mkdir` never returns where nothing
 * can be created (`/proc`). Throws an error that names `SLUICE_HOME`.
 */
export async function makeHome(home: string): Promise<void> {
  for (const directory of levelsOf(resolve(home))) {
    try {
      await mkdir(directory, { mode: 0o700 });
    } catch (error) {
      if (await isDirectory(directory)) continue;
      throw new Error(`cannot create the directory ${directory} (${codeOf(error)}); set another SLUICE_HOME`, {
        cause: error,
      });
    }
  }
}

/** The path and its parents, outermost first. */
function levelsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...levelsOf(parent), path];
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}
