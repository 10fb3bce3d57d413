import { scopes } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { generateApiKey } from './api-key-format.ts';
import { ApiKeyRepository } from './repositories/api-key-repository.ts';
import { UserRepository } from './repositories/user-repository.ts';
import type { Tables } from './tables/tables.ts';

/** Serializes starts of several processes on an empty database. */
const bootstrapLock = 7_204_511;

export interface Bootstrap {
  ownerId: string;
  /** Set when a first key was generated just now: show it once, it cannot be read again. */
  generatedKey?: string;
}

/**
 * Makes the owner with a personal project, and a first key with every scope, where they are missing (Contract 2.8). With
 * `bootstrapApiKey` that key is made the owner's, whatever others exist. Safe to call at each start, by many processes at once.
 */
export async function ensureBootstrap(
  db: Kysely<Tables>,
  { bootstrapApiKey }: { bootstrapApiKey: string | null },
): Promise<Bootstrap> {
  return db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(${bootstrapLock})`.execute(tx);
    const users = new UserRepository(tx);
    const keys = new ApiKeyRepository(tx);
    const owner = (await users.findOwner()) ?? (await users.create({ email: 'owner@localhost', role: 'owner' }));
    const firstKey = { userId: owner.id, label: 'first key', scopes, expiresAt: null };
    if (bootstrapApiKey !== null) {
      await keys.createUnlessKnown({ ...firstKey, rawKey: bootstrapApiKey });
      return { ownerId: owner.id };
    }
    if (await keys.anyUsable()) return { ownerId: owner.id };
    const generatedKey = generateApiKey();
    await keys.create({ ...firstKey, rawKey: generatedKey });
    return { ownerId: owner.id, generatedKey };
  });
}
