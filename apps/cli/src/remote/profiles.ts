import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readClientEnvironment } from '@sluice/config';
import { randomId } from '@sluice/domain';
import { ExitError, exitCodes } from '../exit-codes.ts';

/** A server, and the key for its API. */
export interface Profile {
  /** Without `/api/v1`. */
  url: string;
  apiKey: string;
  /** Default: `X-SERVICE-API-KEY`. */
  keyHeader?: string;
}

export interface Profiles {
  /** Name of the profile that commands use without `--profile`. */
  default?: string;
  profiles: Record<string, Profile>;
}

/**
 * The profile with its address in one spelling. Throws a usage error, which starts with `source`
 * and does not contain the key.
 */
export function checkProfile({ url, apiKey, keyHeader }: Profile, source: string): Profile {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new ExitError(exitCodes.usage, `${source} must be an address such as https://sluice.example.com`);
  if (parsed.username !== '' || parsed.password !== '')
    throw new ExitError(exitCodes.usage, `${source} must be an address without a user and password`);
  if (!/^[\x20-\x7e]+$/.test(apiKey) || !/^[\w-]+$/.test(keyHeader ?? 'default'))
    throw new ExitError(
      exitCodes.usage,
      `${source}: the key, or the name of its header, has characters that a header cannot have`,
    );
  const address = url.replace(/(\/api\/v1)?\/?$/, '');
  return { url: address, apiKey, ...(keyHeader !== undefined && { keyHeader }) };
}

const fileMode = 0o600;
const othersMode = 0o077;

export function profilesFile(): string {
  return join(readClientEnvironment().configDir, 'profiles.json');
}

/**
 * Empty if there is no file. Throws if the file is damaged, or if other users can read it: it
 * contains keys.
 */
export async function readProfiles(): Promise<Profiles> {
  const path = profilesFile();
  let text: string;
  try {
    const { mode } = await stat(path);
    if ((mode & othersMode) !== 0)
      throw new ExitError(exitCodes.failed, `other users can read ${path}, which contains API keys: run chmod 600 ${path}`);
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} };
    throw error;
  }
  const stored = parseProfiles(text);
  if (!stored) throw new ExitError(exitCodes.failed, `${path} is damaged: repair or remove it`);
  return { ...stored, profiles: Object.assign(Object.create(null), stored.profiles) };
}

function parseProfiles(text: string): Profiles | undefined {
  try {
    const stored = JSON.parse(text) as Profiles;
    const isProfile = ({ url, apiKey }: Partial<Profile>) => typeof url === 'string' && typeof apiKey === 'string';
    return Object.values(stored.profiles).every(isProfile) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the file atomically, so that a crash leaves either the old or the new file. */
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
