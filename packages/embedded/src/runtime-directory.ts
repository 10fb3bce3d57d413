import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, realpath } from 'node:fs/promises';
import { errorCode } from './error-code.ts';

/**
 * Creates the private directory for the unix sockets of a home, and returns its path. It is in
 * `/tmp`, because a socket path is limited to about 100 bytes and a home's path may be longer.
 * Throws if another user created that directory.
 */
export async function makeRuntimeDirectory(home: string): Promise<string> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const uid = process.getuid?.() ?? 0;
  const hash = createHash('sha256')
    .update(await realpath(home))
    .digest('hex')
    .slice(0, 12);
  const directory = `/tmp/sluice-${uid}-${hash}`;
  await makePrivateDirectory(directory, uid);
  return directory;
}

/**
 * The owner is checked without following links: in a shared directory, another user may have
 * created the entry first.
 */
async function makePrivateDirectory(directory: string, uid: number): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const stats = await lstat(directory);
  if (!stats.isDirectory() || stats.uid !== uid) {
    throw new Error(`${directory} belongs to another user; remove it, or use another SLUICE_HOME`);
  }
  if ((stats.mode & 0o066) !== 0) await chmod(directory, 0o700);
}
