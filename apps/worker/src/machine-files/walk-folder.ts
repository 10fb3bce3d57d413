import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { FileNotAllowedError, fileError } from './file-errors.ts';

/** Maximum number of entries in one listing or watcher. */
export const maxEntries = 100_000;

/** Maximum nesting of folders. */
export const maxDepth = 64;

/**
 * Paths of the files and links in a folder and its subfolders, down to `depth` levels; names that
 * begin with a dot only with `hidden`. Links are not followed, and unreadable folders are omitted.
 */
export async function* walkFolder(
  root: string,
  { depth, hidden }: { depth: number; hidden: boolean },
): AsyncGenerator<{ path: string; isLink: boolean }> {
  const folders = [{ path: root, depth: Math.min(depth, maxDepth) }];
  let entries = 0;
  for (let folder = folders.shift(); folder; folder = folders.shift()) {
    for await (const entry of entriesOf(folder.path, { isRoot: folder.path === root, hidden })) {
      if (++entries > maxEntries) throw tooMany(root);
      const path = join(folder.path, entry.name);
      if (!entry.isDirectory()) yield* fileOf(entry, path);
      else if (folder.depth > 0) folders.push({ path, depth: folder.depth - 1 });
    }
  }
}

function* fileOf(entry: Dirent, path: string): Generator<{ path: string; isLink: boolean }> {
  const isLink = entry.isSymbolicLink();
  if (isLink || entry.isFile()) yield { path, isLink };
}

async function* entriesOf(folder: string, { isRoot, hidden }: { isRoot: boolean; hidden: boolean }): AsyncGenerator<Dirent> {
  try {
    for await (const entry of await opendir(folder)) if (hidden || !entry.name.startsWith('.')) yield entry;
  } catch (error) {
    // Removed, or not readable.
    if (isRoot) throw fileError(error, folder);
  }
}

export function tooMany(root: string): FileNotAllowedError {
  return new FileNotAllowedError(root, `it contains more than ${maxEntries} files, too many to list or watch`);
}
