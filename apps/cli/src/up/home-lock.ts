import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Makes the file with its content in one step, so that nobody finds it empty. */
async function create(file: string, content: string): Promise<boolean> {
  const draft = aside(file);
  await writeFile(draft, content, { mode: 0o600 });
  try {
    await link(draft, file);
    return true;
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

async function read(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

/**
 * Moves the file away before it removes it: if another process has replaced the stale lock meanwhile, what was moved is that
 * process's lock, and goes back.
 */
async function removeStale(file: string, stale: string | undefined): Promise<void> {
  const moved = aside(file);
  try {
    await rename(file, moved);
  } catch {
    return;
  }
  if ((await read(moved)) === stale) await rm(moved, { force: true });
  else await rename(moved, file);
}
