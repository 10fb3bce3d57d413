import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readClientEnvironment } from '@sluice/config';
import { randomId } from '@sluice/domain';
import { ExitError, exitCodes } from '../exit-codes.ts';

/** A server, and the key that the command line uses there. */
export interface Profile {
  /** Without `/api/v1`. */
  url: string;
  apiKey: string;
  /** Absent: `X-SERVICE-API-KEY`. */
  keyHeader?: string;
}

export interface Profiles {
  /** Name of the profile that counts without `--profile`. */
  default?: string;
  profiles: Record<string, Profile>;
}

const fileMode = 0o600;
const othersMode = 0o077;

export function profilesFile(): string {
  return join(readClientEnvironment().configDir, 'profiles.json');
}

/** Empty if there is no file. Throws if it is damaged, or if others may read it, since it has keys. */
export async function readProfiles(): Promise<Profiles> {
  const path = profilesFile();
  let text: string;
  try {
    const { mode } = await stat(path);
    if ((mode & othersMode) !== 0)
      throw new ExitError(exitCodes.failed, `others may read ${path}, which has keys: chmod 600 it`);
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} };
    throw error;
  }
  try {
    const read = JSON.parse(text) as Profiles;
    return { ...read, profiles: Object.assign(Object.create(null), read.profiles) };
  } catch {
    throw new ExitError(exitCodes.failed, `${path} is not valid JSON: repair or remove it`);
  }
}

/** Replaces the file at once, so that a crash leaves the old or the new one. */
export async function writeProfiles(profiles: Profiles): Promise<void> {
  const path = profilesFile();
  const draft = `${path}.${randomId()}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(draft, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: fileMode, flag: 'wx' });
    await chmod(draft, fileMode);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
