import { NodeOperationError, TimeSlice } from '@sluice/node-sdk';
import { EntryBudget } from './entry-budget.ts';
import type { RemoteFile, RemoteFiles } from './remote-files.ts';

/**
 * Maximum path length of an entry: a server's folders may be nested endlessly, and the paths grow
 * with each level.
 */
const maxPathLength = 4_096;

/** An entry and its path. */
interface FoundFile extends RemoteFile {
  path: string;
}

/** The entries of a folder, each before its own contents; links are not followed. */
export async function listFolder(
  files: RemoteFiles,
  folder: string,
  isRecursive: boolean,
  budget = new EntryBudget(),
): Promise<FoundFile[]> {
  const listed: FoundFile[] = [];
  const folders = [folder];
  const slice = new TimeSlice();
  // Folders are added as they are found.
  for (const path of folders) {
    for (const file of (await files.list(path, budget)).filter(isInside)) {
      const entry = { ...file, path: joined(path, file.name) };
      if (entry.path.length > maxPathLength) throw pathTooLong();
      listed.push(entry);
      if (isRecursive && file.type === 'd') folders.push(entry.path);
      if (slice.isOver) await slice.next();
    }
  }
  return listed;
}

function pathTooLong(): NodeOperationError {
  return new NodeOperationError(`the server lists a path of more than ${maxPathLength} characters`, {
    description: 'List its nested folders one by one',
  });
}

/** Removes a folder with its contents, innermost first. */
export async function removeFolderTree(files: RemoteFiles, folder: string): Promise<void> {
  for (const { path, type } of (await listFolder(files, folder, true)).reverse()) {
    await (type === 'd' ? files.removeFolder(path) : files.remove(path));
  }
  await files.removeFolder(folder);
}

/** Creates the parent folders of a file's path. */
export async function createFolders(files: RemoteFiles, filePath: string): Promise<void> {
  const parts = filePath.split('/').slice(0, -1);
  for (let count = 1; count <= parts.length; count += 1) {
    const path = parts.slice(0, count).join('/');
    if (path !== '' && path !== '.' && !/(^|\/)\.\.$/.test(path)) await files.createFolder(path);
  }
}

/** Excludes the folder itself and names that would leave it, which a server may send. */
function isInside({ name }: RemoteFile): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/');
}

function joined(folder: string, name: string): string {
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}
