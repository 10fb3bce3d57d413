import { UnavailableError } from '@sluice/domain';
import { Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import { migrations } from './migrations/index.ts';

function migrator(db: Database): Migrator {
  return new Migrator({ db: db.kysely, provider: { getMigrations: async () => migrations } });
}

/**
 * Brings the schema up to date. Safe to call from many processes at once: the migrator takes a
 * lock. Resolves to the names of the migrations that it ran.
 */
export async function migrateToLatest(db: Database): Promise<string[]> {
  const { error, results } = await migrator(db).migrateToLatest();
  if (error !== undefined) throw error;
  const failed = results?.find((result) => result.status !== 'Success');
  if (failed) throw new Error(`migration ${failed.migrationName} did not run`);
  return results?.map((result) => result.migrationName) ?? [];
}

/** Throws `UnavailableError` unless every migration this build knows has run. */
export async function assertMigrated(db: Database): Promise<void> {
  const known = await migrator(db).getMigrations();
  const pending = known.filter((migration) => migration.executedAt === undefined);
  if (pending.length > 0) throw new UnavailableError(`${pending.length} migrations have not run: sluice migrate`);
}
