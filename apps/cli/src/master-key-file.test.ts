import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { toConfig } from '@sluice/config';
import { ensureMasterKeyFile, masterKeyFile, requireMasterKeys } from './master-key-file.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-master-key-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

describe('ensureMasterKeyFile', () => {
  test('creates one random key that only the owner may read, and keeps it', async () => {
    const keys = await ensureMasterKeyFile(home);
    expect(keys).toEqual([expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/)]);
    expect((await stat(masterKeyFile(home))).mode & 0o777).toBe(0o600);
    expect(await ensureMasterKeyFile(home)).toEqual(keys);
    expect(await readFile(masterKeyFile(home), 'utf8')).toBe(`${keys[0]}\n`);
  });

  test('concurrent starts agree on one key and leave no other files', async () => {
    const keyLists = await Promise.all([1, 2].map(() => ensureMasterKeyFile(home)));
    expect(keyLists[0]).toEqual(keyLists[1]);
    expect(await readdir(home)).toEqual(['master.key']);
  });

  test('reads several keys; the first is primary', async () => {
    await writeFile(masterKeyFile(home), 'a-second-long-passphrase\n\na-first-long-passphrase\n');
    expect(await ensureMasterKeyFile(home)).toEqual(['a-second-long-passphrase', 'a-first-long-passphrase']);
  });

  test('an empty file is an error, not a reason for a new key', async () => {
    await writeFile(masterKeyFile(home), '\n');
    await expect(ensureMasterKeyFile(home)).rejects.toThrow('contains no key');
  });
});

describe('requireMasterKeys', () => {
  test('prefers the setting to the file; the error for a missing key names both', async () => {
    await expect(requireMasterKeys(toConfig({ SLUICE_HOME: home }))).rejects.toThrow(/ENCRYPTION_KEY .*master\.key/);
    const keys = await ensureMasterKeyFile(home);
    expect(await requireMasterKeys(toConfig({ SLUICE_HOME: home }))).toEqual(keys);
    const set = toConfig({ SLUICE_HOME: home, ENCRYPTION_KEY: 'a-given-long-passphrase' });
    expect(await requireMasterKeys(set)).toEqual(['a-given-long-passphrase']);
  });
});
