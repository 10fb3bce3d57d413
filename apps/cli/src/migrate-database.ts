import { createDatabase, migrateToLatest } from '@sluice/db';

/** Runs pending migrations and resolves to their names. */
export async function migrateDatabase(url: string): Promise<string[]> {
  const database = createDatabase({ url, poolSize: 4, statementTimeoutMs: 0, applicationName: 'sluice-migrate' });
  try {
    return await migrateToLatest(database);
  } finally {
    await database.close();
  }
}
