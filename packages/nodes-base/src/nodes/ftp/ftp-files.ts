import { PassThrough } from 'node:stream';
import { type JsonObject, TimeSlice } from '@sluice/node-sdk';
import type { FileInfo } from 'basic-ftp';
import { openFtp } from '../../clients/ftp-client.ts';
import type { ConnectPort } from '../../clients/open-socket.ts';
import { type RemoteFile, type RemoteFiles, rightsOf } from './remote-files.ts';

/**
 * Files of an FTP server, from a credential of type `ftp`. Control and data connections are both
 * guarded.
 */
export async function openFtpFiles(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<RemoteFiles> {
  const client = await openFtp(data, ports, signal, timeoutMs);
  // Binary transfers, and machine-readable listings if the server supports them.
  await client.useDefaultSettings();
  return {
    list: async (path, budget) => {
      const listing = await client.list(path);
      budget.spend(listing.length);
      return toRemoteFiles(listing);
    },
    async *download(path) {
      const arriving = new PassThrough();
      const done = client.downloadTo(arriving, path);
      done.catch((error: Error) => arriving.destroy(error));
      yield* arriving;
      await done;
    },
    upload: async (path, content) => void (await client.uploadFrom(content, path)),
    rename: async (from, to) => void (await client.rename(from, to)),
    remove: async (path) => void (await client.remove(path)),
    removeFolder: async (path) => void (await client.removeEmptyDir(path)),
    createFolder: async (path) => void (await client.sendIgnoringError(`MKD ${path}`)),
    close: () => client.close(),
  };
}

async function toRemoteFiles(listing: readonly FileInfo[]): Promise<RemoteFile[]> {
  const slice = new TimeSlice();
  const files: RemoteFile[] = [];
  for (const file of listing) {
    files.push(toRemoteFile(file));
    if (slice.isOver) await slice.next();
  }
  return files;
}

function toRemoteFile(file: FileInfo): RemoteFile {
  const { name, size, modifiedAt, permissions, user, group } = file;
  return {
    type: file.isDirectory ? 'd' : file.isSymbolicLink ? 'l' : '-',
    name,
    size,
    ...(modifiedAt && { modifyTime: modifiedAt.toISOString() }),
    ...(permissions && {
      rights: { user: rightsOf(permissions.user), group: rightsOf(permissions.group), other: rightsOf(permissions.world) },
    }),
    ...(user !== undefined && { owner: user }),
    ...(group !== undefined && { group }),
  };
}
