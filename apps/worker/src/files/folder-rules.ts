import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';

/** Where a system shows its processes and devices as files. */
const systemFolders = ['/proc', '/sys', '/dev'];

/** Which real paths are inside of what an operator allows. */
export interface FolderRules {
  /** Folders as configured, absolute. */
  readonly folders: readonly string[];
  /** Whether a path, links resolved, is inside of one of the folders, and of nothing that is always refused. */
  allows(realPath: string): Promise<boolean>;
  /** Whether a path lies by its name in what is always refused; quick, for entries of a folder whose place is known. */
  refuses(path: string): boolean;
}

/** @param refused folders that nobody reads or writes, also where they lie inside of an allowed one. */
export function folderRules(folders: readonly string[], refused: readonly string[]): FolderRules {
  return {
    folders: folders.map((folder) => resolve(folder)),
    refuses: (path) => [...refused.map((folder) => resolve(folder)), ...systemFolders].some((it) => contains(it, path)),
    async allows(realPath) {
      const [inside, outside] = await Promise.all([realPaths(folders), realPaths(refused)]);
      return (
        inside.some((folder) => contains(folder, realPath)) &&
        ![...outside, ...systemFolders].some((it) => contains(it, realPath))
      );
    },
  };
}

export function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Of those that exist; asked each time, since a folder may be mounted, or made, later. */
async function realPaths(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
  return found.filter((path) => path !== undefined);
}
