import { type Kysely, sql } from 'kysely';

/** Calls by uses of sub-nodes for which an execution waits, in the order of `children`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE execution_waits ADD COLUMN calls text[]').execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE execution_waits DROP COLUMN calls').execute(db);
}
