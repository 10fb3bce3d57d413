import { readEnv, requireServices, toConfig } from '@sluice/config';
import { createDatabase, type Database, ensureBootstrap, migrateToLatest } from '@sluice/db';
import { type SeedSize, seedLists } from '@sluice/test-support';
import { sql } from 'kysely';

/** Sizes of the databases in which lists are measured. */
export const seedSizes = {
  small: { executions: 10_000, workflows: 10_000, projects: 20 },
  large: { executions: 1_000_000, workflows: 10_000, projects: 20 },
} as const satisfies Record<string, SeedSize>;

/** Migrates an empty database, creates an owner with an API key, and fills the database. */
export async function seedDatabase(url: string, size: SeedSize, ownerKey: string): Promise<void> {
  const db = createDatabase({ url, statementTimeoutMs: 0 });
  await migrateToLatest(db);
  await ensureBootstrap(db.kysely, { bootstrapApiKey: ownerKey });
  await seedLists(db, size);
  await db.close();
}

/** Ends the seeded executions that have not ended, so that a worker does not run them. */
export async function cancelLive({ kysely }: Database): Promise<void> {
  await sql`UPDATE executions SET status = 'canceled', stopped_at = now() WHERE status IN ('new', 'running', 'waiting')`.execute(
    kysely,
  );
}

// `./dev bench:seed [small|large]` fills an empty database at DATABASE_URL for manual tests.
if (import.meta.main) {
  const size = process.argv[2] === 'small' ? 'small' : 'large';
  const config = toConfig(readEnv());
  await seedDatabase(
    requireServices(config).databaseUrl,
    seedSizes[size],
    config.secrets.bootstrapApiKey ?? 'a-key-for-the-benchmark-only',
  );
}
