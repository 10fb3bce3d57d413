import { UnavailableError } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Database } from './connection/database.ts';
import { type AnyMigration, asMigration, buildIndexes, whileAlone } from './index-migration.ts';
import { migrationState, NewerDatabaseError, PreReleaseDatabaseError } from './migration-state.ts';
import { migrations } from './migrations/index.ts';
import { constantSql } from './statements/compiled.ts';
import type { Tables } from './tables/tables.ts';

/** The number of Kysely's own lock. */
const lock = '3853314791062309107';

type Migrations = Readonly<Record<string, AnyMigration>>;

export function migrator(db: Kysely<Tables>, all: Migrations = migrations): Migrator {
  const wrapped = Object.fromEntries(Object.entries(all).map(([name, migration]) => [name, asMigration(migration)]));
  return new Migrator({ db, provider: { getMigrations: async () => wrapped } });
}

/**
 * Brings the schema up to date, in one transaction. Safe to call from many processes at once: one
 * migrates, the others wait for it. Resolves to the names of the migrations that it ran. Throws
 * `NewerDatabaseError` if a newer release has migrated the database, and `PreReleaseDatabaseError`
 * if a version before the first release created it.
 *
 * Pending `IndexMigration`s of a database that is in use make it several transactions: their
 * indexes are built after the migrations before them. If it is interrupted, the next call
 * continues.
 */
export async function migrateToLatest(db: Database): Promise<string[]> {
  return migrate(db, migrations);
}

export async function migrate(db: Database, all: Migrations): Promise<string[]> {
  const ran: string[] = [];
  if ((await pendingIndexes(db.kysely, all)).length > 0)
    await whileAlone(db.kysely, async () => {
      for (const { previous, migration } of await pendingIndexes(db.kysely, all)) {
        if (previous !== undefined) ran.push(...(await runTo(db.kysely, all, previous)));
        await buildIndexes(db.kysely, migration);
      }
    });
  return [...ran, ...(await runTo(db.kysely, all))];
}

/** Runs the migrations up to `last`, or all of them, in one transaction. */
async function runTo(db: Kysely<Tables>, all: Migrations, last?: string): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    await sql`SELECT set_config('statement_timeout', '0', true), pg_advisory_xact_lock(${constantSql(lock)})`.execute(tx);
    const before = await ranIn(tx);
    refuseUnknown(before, all);
    // Another process may have run it, and later ones, since it was pending: they would be
    // reverted.
    if (last !== undefined && before.includes(last)) return [];
    const { error, results } = await (last === undefined
      ? migrator(tx, all).migrateToLatest()
      : migrator(tx, all).migrateTo(last));
    if (error !== undefined) throw error;
    const failed = results?.find((result) => result.status !== 'Success');
    if (failed) throw new Error(`migration ${failed.migrationName} did not run`);
    return results?.map((result) => result.migrationName) ?? [];
  });
}

/** Pending index migrations, each with the migration before it. Empty for a new database. */
async function pendingIndexes(db: Kysely<Tables>, all: Migrations) {
  const ran = new Set(await ranIn(db));
  refuseUnknown(ran, all);
  if (ran.size === 0) return [];
  const names = Object.keys(all).sort();
  return names.flatMap((name, index) => {
    const migration = all[name];
    if (ran.has(name) || migration === undefined || !('indexes' in migration)) return [];
    return [{ migration, previous: names[index - 1] }];
  });
}

/** Names of the migrations that have run. */
async function ranIn(db: Kysely<Tables>): Promise<string[]> {
  const { rows: tables } = await sql`SELECT 1 WHERE to_regclass('kysely_migration') IS NOT NULL`.execute(db);
  if (tables.length === 0) return [];
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}

function refuseUnknown(ran: Iterable<string>, all: Migrations): void {
  const { unknownMigrations, isPreRelease } = migrationState(ran, all);
  if (isPreRelease) throw new PreReleaseDatabaseError();
  if (unknownMigrations.length > 0) throw new NewerDatabaseError(unknownMigrations);
}

/** Throws `UnavailableError` unless every migration of this build has run. */
export async function assertMigrated(db: Database): Promise<void> {
  const { pendingMigrations } = migrationState(await ranIn(db.kysely));
  if (pendingMigrations.length > 0)
    throw new UnavailableError(`${pendingMigrations.length} migrations have not run: sluice migrate`);
}
