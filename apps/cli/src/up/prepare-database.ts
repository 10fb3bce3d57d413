import type { Config } from '@sluice/config';
import { createDatabase, ensureBootstrap, migrateToLatest, UserRepository, VaultKeyRepository } from '@sluice/db';
import { untilAvailable } from '@sluice/domain';
import { checkCanary, KeyRing, Vault } from '@sluice/vault';
import { createSignInLink } from '../administration/sign-in-link.ts';

interface PreparedDatabase {
  ownerId: string;
  ownerEmail: string;
  /** The first API key, if it was generated now; it cannot be read again. */
  generatedKey?: string;
}

/** Time for Postgres to become available, even on a busy machine. */
const patienceMs = 60_000;

/**
 * Migrates, checks that the master keys belong to this database, and creates the owner and the
 * first API key if they do not exist.
 */
export async function prepareDatabase(
  url: string,
  { secrets }: Config,
  masterKeys: readonly string[],
  stop: AbortSignal,
): Promise<PreparedDatabase> {
  const database = createDatabase({ url, poolSize: 4, statementTimeoutMs: 0, applicationName: 'sluice-up' });
  try {
    const patience = patienceUntil(stop);
    await untilAvailable(() => migrateToLatest(database), patience);
    const vault = new Vault(KeyRing.parse(masterKeys));
    await untilAvailable(() => checkCanary(vault, new VaultKeyRepository(database.kysely)), patience);
    const { ownerId, generatedKey } = await untilAvailable(() => ensureBootstrap(database.kysely, secrets), patience);
    const { email } = await untilAvailable(() => new UserRepository(database.kysely).get(ownerId), patience);
    return { ownerId, ownerEmail: email, ...(generatedKey !== undefined && { generatedKey }) };
  } finally {
    await database.close();
  }
}

/**
 * Creates a link that signs the owner in to the dashboard. `apiUrl`: for `PORT=0`, which the
 * settings do not name.
 */
export async function linkOwner(
  url: string,
  ownerId: string,
  { http, apiUrl }: { http: Config['http']; apiUrl: string },
  stop: AbortSignal,
): Promise<string> {
  const reachable = { http: { ...http, publicUrl: http.publicUrl ?? apiUrl } };
  const database = createDatabase({ url, poolSize: 1, applicationName: 'sluice-up' });
  try {
    return await untilAvailable(() => createSignInLink(database, ownerId, reachable), patienceUntil(stop));
  } finally {
    await database.close();
  }
}

function patienceUntil(stop: AbortSignal): AbortSignal {
  return AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]);
}
