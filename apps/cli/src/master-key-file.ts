import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Config, ConfigError } from '@sluice/config';
import { randomId } from '@sluice/domain';
import { generateMasterKey } from '@sluice/vault';
import { makeHome } from './make-home.ts';

/** Accessible to the owner only. */
const fileMode = 0o600;

/**
 * Path of the file with the master keys. Like `ENCRYPTION_KEY`, but line breaks can separate the
 * keys, too; the first key is primary.
 */
export function masterKeyFile(home: string): string {
  return join(home, 'master.key');
}

/** The keys in the home folder's key file, which is created with a random key if missing. */
export async function ensureMasterKeyFile(home: string): Promise<string[]> {
  const path = masterKeyFile(home);
  return (await readKeys(path)) ?? (await createFile(path)) ?? (await readKeys(path)) ?? [];
}

/**
 * The keys in `ENCRYPTION_KEY`, or else in the home folder's key file. Throws a `ConfigError` if
 * there are none.
 */
export async function requireMasterKeys({ home, secrets }: Config): Promise<readonly string[]> {
  const keys = secrets.encryptionKeys ?? (await readKeys(masterKeyFile(home)));
  if (keys) return keys;
  throw new ConfigError([`ENCRYPTION_KEY is not set, and ${masterKeyFile(home)} does not exist`]);
}

async function readKeys(path: string): Promise<string[] | undefined> {
  try {
    const keys = (await readFile(path, 'utf8')).split(/[,\r\n]/).map((key) => key.trim());
    const nonEmpty = keys.filter((key) => key !== '');
    if (nonEmpty.length === 0) throw new Error(`${path} contains no key`);
    return nonEmpty;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes the file completely before it gets its name, so that a crash cannot leave half a key.
 * Resolves to `undefined` if another process has created it first.
 */
async function createFile(path: string): Promise<string[] | undefined> {
  const key = generateMasterKey();
  const draft = `${path}.${randomId()}`;
  await makeHome(dirname(path));
  try {
    const file = await open(draft, 'wx', fileMode);
    try {
      await file.writeFile(`${key}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path);
    return [key];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
