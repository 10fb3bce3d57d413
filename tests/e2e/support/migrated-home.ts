import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase, migrateToLatest } from '@sluice/db';
import { makeRuntimeDirectory, startPostgres } from '@sluice/embedded';
import { createLogger } from '@sluice/logger';
import { buildPrograms } from '@sluice/test-support';

/** Passes the directory from the global setup to the processes that run tests. */
const variable = 'SLUICE_TEST_MIGRATED_POSTGRES';

/** Builds the programs and prepares a migrated data directory. */
export default async function setUp(): Promise<void> {
  await buildPrograms();
  await makeMigratedPostgres();
}

/**
 * Creates a data directory of an embedded Postgres with all migrations. Tests start from a copy,
 * because creating one costs as much CPU time as starting an API and a worker.
 */
async function makeMigratedPostgres(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'sluice-e2e-migrated-'));
  const dataDir = join(home, 'postgres');
  const runtimeDir = await makeRuntimeDirectory(home);
  const logger = createLogger({ name: 'test-services', level: 'silent' });
  try {
    const postgres = await startPostgres({ dataDir, runtimeDir, logFile: join(home, 'log'), durable: false, logger });
    const database = createDatabase({ url: postgres.url, poolSize: 2 });
    try {
      await migrateToLatest(database);
    } finally {
      await database.close();
      await postgres.stop();
    }
  } finally {
    await rm(runtimeDir, { recursive: true, force: true });
  }
  process.env[variable] = dataDir;
}

/**
 * Copies it to a new data directory. Without the global setup, does nothing, and Postgres creates
 * the data directory itself.
 */
export async function copyMigratedPostgres(target: string): Promise<void> {
  const dataDir = process.env[variable];
  // Preserves the owner: if this user is root, Postgres runs as another one.
  if (dataDir !== undefined) await promisify(execFile)('cp', ['-a', dataDir, target]);
}

export async function removeMigratedPostgres(): Promise<void> {
  const dataDir = process.env[variable];
  if (dataDir !== undefined) await rm(join(dataDir, '..'), { recursive: true, force: true });
}
