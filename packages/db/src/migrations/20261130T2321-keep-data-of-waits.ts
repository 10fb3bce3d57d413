import { type Kysely, sql } from 'kysely';

/** Data that a node keeps while it waits for workflows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE execution_waits ADD COLUMN kept bytea').execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE execution_waits DROP COLUMN kept').execute(db);
}
