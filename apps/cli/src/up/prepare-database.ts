import type { Config } from '@sluice/config';
import { createDatabase, ensureBootstrap, migrateToLatest, VaultKeyRepository } from '@sluice/db';
import { checkCanary, KeyRing, Vault } from '@sluice/vault';

/**
 * Migrates, checks that the master keys belong to this database, and creates the owner and the
 * first API key if there is none. Resolves to that key if it was generated; it cannot be read
 * again.
 */
export async function prepareDatabase(
  url: string,
  { secrets }: Config,
  masterKeys: readonly string[],
): Promise<string | undefined> {
  const database = createDatabase({ url, poolSize: 2, statementTimeoutMs: 0, applicationName: 'sluice-up' });
  try {
    await migrateToLatest(database);
    await checkCanary(new Vault(KeyRing.parse(masterKeys)), new VaultKeyRepository(database.kysely));
    const { generatedKey } = await ensureBootstrap(database.kysely, secrets);
    return generatedKey;
  } finally {
    await database.close();
  }
}
