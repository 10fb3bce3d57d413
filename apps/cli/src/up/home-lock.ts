import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '@sluice/domain';
import { processIdentity } from '@sluice/embedded';

/** Held by the only `sluice up` that runs in a home folder. */
interface HomeLock {
  release(): Promise<void>;
}

/** Interval at which a holder touches the lock file. */
const beatMs = 2_000;

/**
 * Locks a home folder with a file that identifies the holder. Takes over the lock of a dead holder.
 * Throws if another `sluice up` holds the lock. A holder in another container counts as dead if it
 * does not touch the file for `watchMs`.
 */
export async function lockHome(home: string, { watchMs = 4 * beatMs } = {}): Promise<HomeLock> {
  const file = join(home, 'up.lock');
  const own = JSON.stringify({ process: await ownIdentity(), place: await placeOfPids() } satisfies Holder);
  for (;;) {
    if (await create(file, own)) break;
    const content = await read(file);
    await refuseLiving(file, holderIn(content), { home, watchMs });
    await removeStale(file, content);
  }
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), beatMs).unref();
  return {
    async release() {
      clearInterval(beat);
      await rm(file, { force: true });
    },
  };
}

interface Holder {
  /** `processIdentity` of the holder. */
  process: string;
  /** The host and container in which its PID is valid. */
  place: string;
}

async function ownIdentity(): Promise<string> {
  return (await processIdentity(process.pid)) ?? String(process.pid);
}

/** The host and container: elsewhere, the same PID belongs to another process. */
async function placeOfPids(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${hostname()} ${namespace}`;
}

/**
 * Content that is not JSON comes from an earlier release or a process that was killed while
 * writing; it has no place.
 */
function holderIn(content: string | undefined): Partial<Holder> {
  try {
    return { ...JSON.parse(content ?? '') };
  } catch {
    return { ...(content !== undefined && { process: content }) };
  }
}

async function refuseLiving(
  file: string,
  { process: identity = '', place }: Partial<Holder>,
  { home, watchMs }: { home: string; watchMs: number },
): Promise<void> {
  const fix = 'stop it, or set another SLUICE_HOME (and PORT)';
  const own = await placeOfPids();
  if (place !== undefined && place !== own) {
    if (await isTouched(file, watchMs))
      throw new Error(`another \`sluice up\` (on ${place.split(' ')[0]}) uses ${home}; ${fix}`);
    return;
  }
  const pid = Number.parseInt(identity, 10);
  if (pid > 0 && (await processIdentity(pid)) === identity)
    throw new Error(`another \`sluice up\` (pid ${pid}) uses ${home}; ${fix}`);
}

/**
 * Whether the file is touched within `watchMs`. Does not compare its time with the clock: another
 * host may have set it.
 */
async function isTouched(file: string, watchMs: number): Promise<boolean> {
  const touchedAt = async () => (await stat(file).catch(() => undefined))?.mtimeMs;
  const before = await touchedAt();
  const deadline = performance.now() + watchMs;
  while (performance.now() < deadline) {
    await delay(Math.min(100, watchMs));
    const latest = await touchedAt();
    if (latest !== before) return latest !== undefined;
  }
  return false;
}

/**
 * Creates the file with its content in one step, so that other processes never see it empty.
 * Resolves to false if another process holds the lock.
 */
async function create(file: string, content: string): Promise<boolean> {
  const draft = aside(file);
  await writeFile(draft, content, { mode: 0o600 });
  try {
    await link(draft, file);
    return await isKept(file, (await stat(draft)).ino);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
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
/** A move takes only a moment: a file that remains longer belongs to a killed process. */
const maxMovedPolls = 100;

/**
 * Waits until no process is moving locks, and returns whether our new file is still the lock: a
 * lock that is moved back replaces it.
 */
async function isKept(file: string, inode: number): Promise<boolean> {
  const isMoved = (name: string) => name.startsWith(basename(file)) && name.endsWith(movedEnding);
  let seen: number | 'nothing yet' | undefined = 'nothing yet';
  for (let polls = 0; ; polls += 1) {
    const moved = (await readdir(dirname(file))).filter(isMoved);
    if (polls >= maxMovedPolls) await Promise.all(moved.map((name) => rm(join(dirname(file), name), { force: true })));
    if (moved.length === 0) {
      const currentInode = (await stat(file).catch(() => undefined))?.ino;
      if (currentInode === inode) return true;
      // Another process may have moved our file after we read the names.
      if (currentInode === seen) return false;
      seen = currentInode;
    }
    await delay(movedPollMs);
  }
}

async function read(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/**
 * Moves the file away before removing it. If another process has replaced the stale lock in the
 * meantime, the moved file is that process's lock and is moved back.
 */
async function removeStale(file: string, stale: string | undefined): Promise<void> {
  const moved = aside(file) + movedEnding;
  try {
    await rename(file, moved);
  } catch {
    return;
  }
  if ((await read(moved)) === stale) await rm(moved, { force: true });
  else await rename(moved, file).catch(() => undefined); // fails if another process has removed it as a leftover
}
