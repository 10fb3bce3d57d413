import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';

/** Folders in which a system represents processes and devices as files. */
const systemFolders = ['/proc', '/sys', '/dev'];

/** Checks real paths against the folders that the operator allows. */
export interface FolderRules {
  /** Folders as configured, absolute. */
  readonly folders: readonly string[];
  /** Whether a path with resolved links is inside an allowed folder, and not in a refused one. */
  allows(realPath: string): Promise<boolean>;
  /**
   * Whether a path is, by its name, in a refused folder; fast, for entries of a folder whose
   * location is known.
   */
  refuses(path: string): boolean;
}

/** @param refused folders that are never read or written, even inside an allowed one. */
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

/** Only existing folders; checked each time, because a folder may be mounted or created later. */
async function realPaths(folders: readonly string[]): Promise<string[]> {
  const paths = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
  return paths.filter((path) => path !== undefined);
}
