import { NodeOperationError, TimeSlice } from '@sluice/node-sdk';
import type { RemoteFile, RemoteFiles } from './remote-files.ts';

/** Most entries that a recursive listing may have. */
const maxEntries = 100_000;

/** An entry and its path. */
export interface FoundFile extends RemoteFile {
  path: string;
}

/** The entries of a folder, each before its own contents; links are not followed. */
export async function listFolder(files: RemoteFiles, folder: string, isRecursive: boolean): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const waiting = [folder];
  const slice = new TimeSlice();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    for (const file of (await files.list(path)).filter(isInside)) {
      const entry = { ...file, path: joined(path, file.name) };
      found.push(entry);
      if (isRecursive && file.type === 'd') waiting.push(entry.path);
      if (slice.isOver) await slice.next();
    }
    if (found.length > maxEntries)
      throw new NodeOperationError(`the folder has more than ${maxEntries} entries`, {
        description: 'List its nested folders one by one',
      });
  }
  return found;
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
