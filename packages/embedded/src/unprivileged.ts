import { chmod, chown, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { succeeds } from './run-command.ts';

/** How to run a program that refuses to run as root. */
export interface Launcher {
  /** Arguments to prepend to the program. */
  prefix: readonly string[];
  uid?: number;
  gid?: number;
  /**
   * Makes the program's user the owner of a directory that we created, together with its parent.
   */
  own(directory: string): Promise<void>;
}

const plain: Launcher = { prefix: [], own: async () => undefined };
/** The unprivileged user that exists on every Linux. */
const nobody = 65_534;
const namespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`];

/**
 * Postgres refuses uid 0 and users without a name (common in containers). On Linux, both run it in
 * a user namespace in which it appears as an unprivileged user: its files remain the real user's,
 * and no other user needs access to the parent directories. If such namespaces are forbidden
 * (Docker's default), root runs it as the real unprivileged user, uid 65534.
 */
export async function unprivilegedLauncher(): Promise<Launcher> {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasName()) return plain;
  const [unshare = '', ...flags] = namespace;
  if (process.platform === 'linux' && (await succeeds(unshare, [...flags, 'true']))) return { ...plain, prefix: namespace };
  return isRoot ? { prefix: [], uid: nobody, gid: nobody, own: giveToNobody } : plain;
}

function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

async function giveToNobody(directory: string): Promise<void> {
  await chown(directory, nobody, nobody);
  await chmod(dirname(directory), 0o711);
  for (let parent = dirname(directory); parent !== dirname(parent); parent = dirname(parent)) {
    if (((await stat(parent)).mode & 0o001) === 0) {
      throw new Error(
        `Postgres cannot run as root, and no other user may enter ${parent}: start as an ordinary user, or set SLUICE_HOME`,
      );
    }
  }
}
