import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, processIdentity } from '@sluice/embedded';

/** Held by the one `sluice up` of a home. */
export interface HomeLock {
  release(): Promise<void>;
}

/**
 * Takes the lock of a home, a file that names its holder. A lock whose holder is gone, however it ended, is taken over. Throws when
 * another `sluice up` holds it.
 */
export async function lockHome(home: string): Promise<HomeLock> {
  const file = join(home, 'up.lock');
  const own = (await processIdentity(process.pid)) ?? String(process.pid);
  while (!(await create(file, own))) {
    const holder = await read(file);
    const pid = Number.parseInt(holder ?? '', 10);
    if (pid > 0 && (await processIdentity(pid)) === holder) {
      throw new Error(`another \`sluice up\` (pid ${pid}) uses ${home}; stop it, or set another SLUICE_HOME (and PORT)`);
    }
    await removeStale(file, holder);
  }
  return { release: () => rm(file, { force: true }) };
}

/** Makes the file with its content in one step, so that nobody finds it empty. False: another has it. */
async function create(file: string, content: string): Promise<boolean> {
  const draft = aside(file);
  await writeFile(draft, content, { mode: 0o600 });
  try {
    await link(draft, file);
    return await isKept(file, (await stat(draft)).ino);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function aside(file: string): string {
  return `${file}.${randomBytes(6).toString('hex')}`;
}

/** What `removeStale` moves away is called so. */
const movedEnding = '.moved';
const movedPollMs = 10;
/** Moving takes a moment: what stays longer was left by a process that was killed. */
const maxMovedPolls = 100;

/** Whether the file made here is still the lock once no one moves locks: one that was moved away comes back in place of ours. */
async function isKept(file: string, inode: number): Promise<boolean> {
  const isMoved = (name: string) => name.startsWith(basename(file)) && name.endsWith(movedEnding);
  for (let polls = 0; ; polls += 1) {
    const moved = (await readdir(dirname(file))).filter(isMoved);
    if (moved.length === 0) break;
    if (polls < maxMovedPolls) await delay(movedPollMs);
    else await Promise.all(moved.map((name) => rm(join(dirname(file), name), { force: true })));
  }
  return (await stat(file).catch(() => undefined))?.ino === inode;
}

async function read(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/**
 * Moves the file away before it removes it: if another process has replaced the stale lock meanwhile, what was moved is that
 * process's lock, and goes back.
 */
async function removeStale(file: string, stale: string | undefined): Promise<void> {
  const moved = aside(file) + movedEnding;
  try {
    await rename(file, moved);
  } catch {
    return;
  }
  if ((await read(moved)) === stale) await rm(moved, { force: true });
  else await rename(moved, file);
}
