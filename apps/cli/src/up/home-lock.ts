import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, processIdentity } from '@sluice/embedded';

/** Held by the only `sluice up` of a home. */
interface HomeLock {
  release(): Promise<void>;
}

/**
 * Takes the lock of a home, a file that names its holder. The lock of a dead holder is taken over.
 * Throws if another `sluice up` holds it.
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

/**
 * Creates the file with its content in one step, so that it is never seen empty. False: another
 * process has it.
 */
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

/** Suffix of files that `removeStale` moves away. */
const movedEnding = '.moved';
const movedPollMs = 10;
/** Moving takes a moment: a file that stays longer belongs to a killed process. */
const maxMovedPolls = 100;

/**
 * Whether our new file is still the lock once no process moves locks: one that was moved away may
 * replace it.
 */
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
 * Moves the file away before removing it: if another process has replaced the stale lock meanwhile,
 * the moved file is that process's lock, and is moved back.
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
