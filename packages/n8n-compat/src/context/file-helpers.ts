import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { type FileAccess, NodeOperationError } from '@sluice/node-sdk';

/** `helpers` for files on the server, only in the folders that the operator allows. */
export function fileHelpers(files: FileAccess | undefined) {
  return {
    resolvePath: async (path: string) => resolve(path),
    createReadStream: async (path: string) => Readable.from(await openMachineFile(files, path)),
    writeContentToFile: async (path: string, content: string | Uint8Array | AsyncIterable<Uint8Array>) =>
      allowed(files).write(path, typeof content === 'string' ? Buffer.from(content) : content),
    isFilePathBlocked: async (path: string) => !(await isAllowed(files, path)),
    getStoragePath: () => '',
  };
}

/** Opens a file on the server. Throws if the operator allows no folder. */
export async function openMachineFile(files: FileAccess | undefined, path: string): Promise<AsyncIterable<Uint8Array>> {
  return allowed(files).open(path);
}

function allowed(files: FileAccess | undefined): FileAccess {
  if (files) return files;
  throw new NodeOperationError('the operator does not allow access to files on the server', {
    description: 'FILES_DIR names a folder for them',
  });
}

async function isAllowed(files: FileAccess | undefined, path: string): Promise<boolean> {
  if (!files) return false;
  return files.list(path).then(
    () => true,
    (error: unknown) => (error as { code?: string }).code === 'FILE_NOT_FOUND',
  );
}
