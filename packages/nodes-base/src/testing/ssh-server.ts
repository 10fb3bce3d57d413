// Shows login attempts, and runs commands for which OpenSSH (tests/services) would need files.
import { createHash, generateKeyPairSync } from 'node:crypto';
import type { Server } from 'node:net';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';
import ssh2, { type AuthContext, type CompressionAlgorithm, type Connection, type ServerChannel, type SFTPWrapper } from 'ssh2';

const { STATUS_CODE, OPEN_MODE } = ssh2.utils.sftp;

export interface SshServer extends LoopbackServer {
  /** Fingerprint of its host key, in the format of `ssh-keygen -l`. */
  fingerprint: string;
  /** Methods of the clients' login attempts. */
  logins: string[];
  /** Path → content; null is a folder. */
  files: Map<string, Buffer | null>;
  commands: string[];
}

/**
 * Subfolder names, instead of `files`, for each read of a folder; an empty list ends the listing.
 */
type ListedFolders = (path: string, readCount: number) => string[];

const keyOptions = {
  publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
} as const;

/** A host key, PEM. */
export function newHostKey(): string {
  return generateKeyPairSync('rsa', { modulusLength: 2048, ...keyOptions }).privateKey;
}

/** Shared by all servers of a test file: generating a key is slow. */
const usualHostKey = newHostKey();

/**
 * An SSH server that accepts `ann` with a password, runs the test's commands, and keeps files in
 * memory.
 */
export async function sshServer(
  password: string,
  {
    files = new Map<string, Buffer | null>(),
    run = (channel: ServerChannel) => void channel.exit(0),
    hostKey = usualHostKey,
    folders,
    attributes,
    compress,
  }: {
    files?: Map<string, Buffer | null>;
    run?: (channel: ServerChannel, command: string) => void;
    hostKey?: string;
    folders?: ListedFolders;
    /** Attributes of the entries that `folders` lists; default: a folder's. */
    attributes?: object;
    /** Compression that the server supports. */
    compress?: CompressionAlgorithm[];
  } = {},
): Promise<SshServer> {
  const commands: string[] = [];
  const logins: string[] = [];
  const server = new ssh2.Server({ hostKeys: [hostKey], ...(compress && { algorithms: { compress } }) }, (client) => {
    client.on('error', () => {});
    client.on('authentication', (attempt: AuthContext) => logins.push(attempt.method));
    client.on('authentication', (attempt: AuthContext) =>
      attempt.method === 'password' && attempt.password === password ? attempt.accept() : attempt.reject(['password']),
    );
    client.on('ready', () => serve(client));
  });
  const serve = (client: Connection) =>
    client.on('session', (accept) => {
      const session = accept();
      session.on('sftp', (acceptSftp) => serveFiles(acceptSftp(), files, folders, attributes));
      session.on('exec', (acceptExec, _, { command }) => {
        commands.push(command);
        run(acceptExec(), command);
      });
    });
  // Tracks the connections of the server it wraps.
  return {
    ...(await listening((server as never as { _srv: Server })._srv)),
    files,
    commands,
    logins,
    fingerprint: fingerprintIn(hostKey),
  };
}

/** Uses the library to read the key, not the code under test. */
function fingerprintIn(hostKey: string): string {
  const key = ssh2.utils.parseKey(hostKey);
  if (key instanceof Error) throw key;
  const hash = createHash('sha256').update(key.getPublicSSH()).digest('base64');
  return `SHA256:${hash.slice(0, 43)}`;
}

function serveFiles(sftp: SFTPWrapper, files: Map<string, Buffer | null>, folders?: ListedFolders, listed?: object): void {
  const handles = new Map<number, { path: string; isListed: boolean; reads: number }>();
  const exists = (path: string) => files.has(path) || path === '/';
  const status = (id: number, isFine: boolean) => sftp.status(id, isFine ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE);
  const attributes = (path: string) => {
    const content = files.get(path);
    const isFolder = content === null || path === '/';
    const at = Date.UTC(2026, 0, 2) / 1_000;
    return { mode: isFolder ? 0o040755 : 0o100644, uid: 1000, gid: 1000, size: content?.length ?? 0, atime: at, mtime: at };
  };
  const open = (id: number, path: string) => {
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(handles.size);
    handles.set(handles.size, { path, isListed: false, reads: 0 });
    sftp.handle(id, handle);
  };
  const opened = (handle: Buffer) => handles.get(handle.readUInt32BE(0)) ?? { path: '', isListed: true, reads: 0 };
  const stat = (id: number, path: string) => (exists(path) ? sftp.attrs(id, attributes(path)) : status(id, false));
  sftp.on('OPEN', (id, path, flags) => {
    if (flags & OPEN_MODE.WRITE) files.set(path, Buffer.alloc(0));
    if (Buffer.isBuffer(files.get(path))) open(id, path);
    else status(id, false);
  });
  sftp.on('READ', (id, handle, offset, length) => {
    const bytes = files.get(opened(handle).path)?.subarray(offset, offset + length) ?? Buffer.alloc(0);
    if (bytes.length > 0) sftp.data(id, bytes);
    else sftp.status(id, STATUS_CODE.EOF);
  });
  sftp.on('WRITE', (id, handle, _, bytes) => {
    const { path } = opened(handle);
    files.set(path, Buffer.concat([files.get(path) ?? Buffer.alloc(0), bytes]));
    status(id, true);
  });
  sftp.on('OPENDIR', (id, path) => (exists(path) || folders ? open(id, path) : status(id, false)));
  sftp.on('READDIR', (id, handle) => {
    const folder = opened(handle);
    if (folders) {
      const names = folders(folder.path, folder.reads++);
      const attrs = (listed ?? { ...attributes('/'), size: 0 }) as never;
      if (names.length > 0)
        return void sftp.name(
          id,
          names.map((filename) => ({ filename, longname: '', attrs })),
        );
      return void sftp.status(id, STATUS_CODE.EOF);
    }
    if (folder.isListed) return void sftp.status(id, STATUS_CODE.EOF);
    folder.isListed = true;
    const prefix = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
    const paths = [...files.keys()].filter((path) => path.startsWith(prefix) && !path.slice(prefix.length).includes('/'));
    sftp.name(
      id,
      paths.map((path) => ({ filename: path.slice(prefix.length), longname: path, attrs: attributes(path) as never })),
    );
  });
  sftp.on('CLOSE', (id) => status(id, true));
  sftp.on('STAT', stat);
  sftp.on('LSTAT', stat);
  sftp.on('FSTAT', (id, handle) => stat(id, opened(handle).path));
  sftp.on('FSETSTAT', (id) => status(id, true));
  sftp.on('REMOVE', (id, path) => status(id, files.delete(path)));
  sftp.on('RMDIR', (id, path) =>
    status(id, ![...files.keys()].some((key) => key.startsWith(`${path}/`)) && files.delete(path)),
  );
  sftp.on('MKDIR', (id, path) => {
    const isNew = !files.has(path);
    if (isNew) files.set(path, null);
    status(id, isNew);
  });
  sftp.on('RENAME', (id, from, to) => {
    files.set(to, files.get(from) ?? null);
    status(id, files.delete(from));
  });
}
