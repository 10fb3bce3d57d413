import type { Config } from '@sluice/config';
import { createDatabase, ensureBootstrap, migrateToLatest } from '@sluice/db';

/** Migrates, and makes the owner and the first key when there is none. Resolves to that key if it was generated: it cannot be had again. */
export async function prepareDatabase(url: string, { secrets }: Config): Promise<string | undefined> {
  const database = createDatabase({ url, poolSize: 2, statementTimeoutMs: 0, applicationName: 'sluice-up' });
  try {
    await migrateToLatest(database);
    const { generatedKey } = await ensureBootstrap(database, secrets);
    return generatedKey;
  } finally {
    await database.close();
  }
}
