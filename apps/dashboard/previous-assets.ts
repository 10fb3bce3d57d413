import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of `files.json`. */
export interface BuiltFile {
  path: string;
  encodings: string[];
  /** From the previous build: for tabs that have its page open. */
  isPrevious?: true;
}

/**
 * Copies assets of the previous build that the new one lacks, with their compressed copies, and
 * returns their entries. Pages load some assets later, on demand. Assets from before the previous
 * build are omitted.
 */
export function copyPreviousAssets(previous: string, next: string, built: readonly BuiltFile[]): BuiltFile[] {
  const list = join(previous, 'files.json');
  if (!existsSync(list)) return [];
  const names = new Set(built.map(({ path }) => path));
  const files: BuiltFile[] = JSON.parse(readFileSync(list, 'utf8'));
  const previousAssets = files.filter(
    ({ path, isPrevious }) => path.startsWith('assets/') && isPrevious !== true && !names.has(path),
  );
  for (const { path, encodings } of previousAssets)
    for (const name of [path, ...encodings.map((encoding) => `${path}.${encoding}`)])
      cpSync(join(previous, name), join(next, name));
  return previousAssets.map((file) => ({ ...file, isPrevious: true }));
}
