import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';

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
