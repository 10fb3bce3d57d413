import { existsSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '@sluice/config';
import type { Finding } from '../checks/finding.ts';
import { masterKeyFile } from '../master-key-file.ts';

const leastFreeBytes = 1024 ** 3;
const othersMode = 0o077;

/** Checks the folders that processes write to, and the mode of the master key file. */
export async function homeChecks(config: Config): Promise<Finding[]> {
  const findings = await Promise.all(writtenFolders(config).map(folderChecks));
  return [...findings.flat(), ...(await keyFileChecks(config.home))];
}

/**
 * `BINARY_DIR` and the home folder of `sluice up`. An API or worker without `sluice up`, as in a
 * container, has no home folder, so if the settings are complete, only an existing one is checked.
 */
export function writtenFolders({ home, binary, database, redis, secrets }: Config): string[] {
  const isComplete = database.url !== null && redis.url !== null && secrets.encryptionKeys !== null;
  const homes = isComplete && !existsSync(home) ? [] : [home];
  return [...new Set([...homes, ...(binary.store.kind === 'disk' ? [binary.store.folder] : [])])];
}

async function folderChecks(folder: string): Promise<Finding[]> {
  const existing = await nearestExisting(folder);
  const findings: Finding[] = [];
  if (!(await isWritable(existing)))
    findings.push({
      level: 'error',
      check: 'folder-not-writable',
      message: `the current user cannot write to ${existing}`,
      fix: 'make the folder writable for the user that runs Sluice, or set SLUICE_HOME or BINARY_DIR',
    });
  const { bavail, bsize } = await statfs(existing);
  if (bavail * bsize < leastFreeBytes)
    findings.push({
      level: 'warning',
      check: 'disk-space',
      message: `only ${Math.round((bavail * bsize) / 1024 ** 2)} MiB are free on the disk of ${existing}`,
      fix: 'free some space, or lower EXECUTION_RETENTION_DAYS and EXECUTION_RETENTION_MAX',
    });
  return findings;
}

async function nearestExisting(folder: string): Promise<string> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  return isThere || folder === dirname(folder) ? folder : nearestExisting(dirname(folder));
}

async function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

async function keyFileChecks(home: string): Promise<Finding[]> {
  const path = masterKeyFile(home);
  const stats = await stat(path).catch(() => undefined);
  if (!stats || (stats.mode & othersMode) === 0) return [];
  const fix = `chmod 600 ${path}`;
  return [{ level: 'warning', check: 'master-key-mode', message: `other users can read ${path}`, fix }];
}
