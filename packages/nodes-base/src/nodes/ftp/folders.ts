import { NodeOperationError } from '@sluice/node-sdk';
import type { RemoteFile, RemoteFiles } from './remote-files.ts';

/** The most entries that a walk through folders meets. */
const maxEntries = 100_000;

/** An entry and where it is. */
export interface FoundFile extends RemoteFile {
  path: string;
}

/** The entries of a folder, each before what is in it; links are not followed. */
export async function listFolder(files: RemoteFiles, folder: string, isRecursive: boolean): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const waiting = [folder];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    for (const file of (await files.list(path)).filter(isInside)) {
      const entry = { ...file, path: joined(path, file.name) };
      found.push(entry);
      if (isRecursive && file.type === 'd') waiting.push(entry.path);
    }
    if (found.length > maxEntries)
      throw new NodeOperationError(`the folder has more than ${maxEntries} entries`, {
        description: 'List the folders in it one by one',
      });
  }
  return found;
}

/** A folder with all that is in it, the innermost first. */
export async function removeFolderTree(files: RemoteFiles, folder: string): Promise<void> {
  for (const { path, type } of (await listFolder(files, folder, true)).reverse()) {
    await (type === 'd' ? files.removeFolder(path) : files.remove(path));
  }
  await files.removeFolder(folder);
}

/** Creates the folders that a file's path leads through. */
export async function createFolders(files: RemoteFiles, filePath: string): Promise<void> {
  const parts = filePath.split('/').slice(0, -1);
  for (let count = 1; count <= parts.length; count += 1) {
    const path = parts.slice(0, count).join('/');
    if (path !== '' && path !== '.' && !/(^|\/)\.\.$/.test(path)) await files.createFolder(path);
  }
}

/** A server may name the folder itself, or what would lead out of it. */
function isInside({ name }: RemoteFile): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/');
}

function joined(folder: string, name: string): string {
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}
