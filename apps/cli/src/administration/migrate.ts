import { ConfigError, readEnv, toConfig } from '@sluice/config';
import { createDatabase, migrateToLatest } from '@sluice/db';
import { refuse } from '../checks/check-start.ts';
import { checkDatabase } from '../checks/service-checks.ts';
import type { Terminal } from '../terminal.ts';

/** Runs pending migrations and prints their names. */
export async function migrate({ json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const { database } = toConfig(readEnv());
  if (database.url === null) throw new ConfigError(['DATABASE_URL is required']);
  refuse(await checkDatabase(database.url), 'cannot migrate');
  const names = await migrateDatabase(database.url);
  if (json) {
    terminal.line(JSON.stringify({ migrated: names }, undefined, 2));
    return;
  }
  for (const name of names) terminal.line(`migrated: ${name}`);
  if (names.length === 0) terminal.line('the database is up to date');
}

/** Runs pending migrations and resolves to their names. */
async function migrateDatabase(url: string): Promise<string[]> {
  const database = createDatabase({ url, poolSize: 4, statementTimeoutMs: 0, applicationName: 'sluice-migrate' });
  try {
    return await migrateToLatest(database);
  } finally {
    await database.close();
  }
}
