import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { type JsonObject, untilAborted } from '@sluice/node-sdk';
import type { FileEntryWithStats, SFTPWrapper } from 'ssh2';
import type { ConnectPort } from '../../clients/open-socket.ts';
import { closeReasonOf, openSsh } from '../../clients/ssh-client.ts';
import type { EntryBudget } from './entry-budget.ts';
import { type RemoteFile, type RemoteFiles, rightsOf } from './remote-files.ts';

/**
 * Files on a server over SSH, from a credential of type `sftp`, `sshPassword`, or `sshPrivateKey`.
 */
export async function openSftpFiles(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  timeoutMs?: number,
): Promise<RemoteFiles> {
  const client = await openSsh(data, ports, signal, timeoutMs);
  // The library never settles requests that are pending when the connection breaks.
  const broken = new AbortController();
  client.once('close', () => broken.abort(closeReasonOf(client)));
  const untilBroken = <T>(work: Promise<T>) => untilAborted(work, broken.signal);
  try {
    const sftp = await untilBroken(promisify(client.sftp.bind(client))());
    // The pending requests report the failure.
    sftp.on('error', () => {});
    return { ...filesOf(sftp, untilBroken), close: () => client.destroy() };
  } catch (error) {
    client.destroy();
    throw error;
  }
}

function filesOf(sftp: SFTPWrapper, untilBroken: <T>(work: Promise<T>) => Promise<T>): Omit<RemoteFiles, 'close'> {
  const call = <T>(work: (done: (error: Error | null | undefined, value?: T) => void) => void): Promise<T> =>
    untilBroken(
      new Promise((resolve, reject) => {
        work((error, value) => (error ? reject(error) : resolve(value as T)));
      }),
    );
  return {
    list,
    async *download(path) {
      // It may fail again after its consumer has stopped.
      yield* sftp.createReadStream(path).on('error', () => {}) as AsyncIterable<Uint8Array>;
    },
    upload: (path, content) =>
      untilBroken(
        pipeline(
          content,
          sftp.createWriteStream(path).on('error', () => {}),
        ),
      ),
    rename: (from, to) => call((done) => sftp.rename(from, to, done)),
    remove: (path) => call((done) => sftp.unlink(path, done)),
    removeFolder: (path) => call((done) => sftp.rmdir(path, done)),
    createFolder: (path) => call<void>((done) => sftp.mkdir(path, done)).catch((error) => isFolder(path, error)),
  };

  /** The library would read the whole folder at once, regardless of its length. */
  async function list(path: string, budget: EntryBudget): Promise<RemoteFile[]> {
    const handle = await call<Buffer>((done) => sftp.opendir(path, done));
    try {
      const remoteFiles: RemoteFile[] = [];
      for (let some = await nextEntries(handle); some; some = await nextEntries(handle)) {
        budget.spend(some.length);
        for (const entry of some) remoteFiles.push(toRemoteFile(entry));
      }
      return remoteFiles;
    } finally {
      sftp.close(handle, () => {});
    }
  }

  /** `undefined` after the last entries. */
  function nextEntries(handle: Buffer): Promise<FileEntryWithStats[] | undefined> {
    return call((done) =>
      sftp.readdir(handle, (error, entries) => (isEnd(error) ? done(null, undefined) : done(error ?? null, entries))),
    );
  }

  async function isFolder(path: string, error: unknown): Promise<void> {
    const stats = await call<{ isDirectory(): boolean }>((done) => sftp.stat(path, done)).catch(() => undefined);
    if (!stats?.isDirectory()) throw error;
  }
}

/** Whether a folder has no more entries: status 1 of the protocol. */
function isEnd(error: Error | undefined): boolean {
  return (error as { code?: unknown } | undefined)?.code === 1;
}

/** The protocol lets a server omit any attribute. */
function toRemoteFile({ filename, attrs }: FileEntryWithStats): RemoteFile {
  const { mode, size, mtime, atime, uid, gid } = attrs as Partial<typeof attrs>;
  return {
    type: attrs.isDirectory() ? 'd' : attrs.isSymbolicLink() ? 'l' : '-',
    name: filename,
    ...(size !== undefined && { size }),
    ...(mtime !== undefined && { modifyTime: timeOf(mtime) }),
    ...(atime !== undefined && { accessTime: timeOf(atime) }),
    ...(mode !== undefined && {
      rights: { user: rightsOf(mode >> 6), group: rightsOf(mode >> 3), other: rightsOf(mode) },
    }),
    ...(uid !== undefined && { owner: uid }),
    ...(gid !== undefined && { group: gid }),
  };
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
