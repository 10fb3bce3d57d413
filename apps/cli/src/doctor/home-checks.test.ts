import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { toConfig } from '@sluice/config';
import { writtenFolders } from './home-checks.ts';

const home = mkdtempSync(join(tmpdir(), 'sluice-home-'));
const missing = join(home, 'missing');
afterAll(() => rmSync(home, { recursive: true }));

/** Settings of a container whose file system is read-only except for `BINARY_DIR`. */
const container = {
  DATABASE_URL: 'postgres://sluice@postgres/sluice',
  REDIS_URL: 'redis://redis',
  ENCRYPTION_KEY: 'a passphrase of a container',
  BINARY_DIR: '/files',
};

test('an API or worker without `sluice up` writes to BINARY_DIR, but not to a home folder', () => {
  expect(writtenFolders(toConfig({ ...container, SLUICE_HOME: missing }))).toEqual(['/files']);
  const bucket = { BINARY_STORE: 's3', BINARY_S3_BUCKET: 'files' };
  expect(writtenFolders(toConfig({ ...container, ...bucket, SLUICE_HOME: missing }))).toEqual([]);
});

test('`sluice up` writes to its home folder', () => {
  expect(writtenFolders(toConfig({ ...container, SLUICE_HOME: home }))).toEqual([home, '/files']);
  for (const absent of ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEY'])
    expect(writtenFolders(toConfig({ ...container, [absent]: undefined, SLUICE_HOME: missing }))).toContain(missing);
});
