import { type Kysely, sql } from 'kysely';

/** So that when a node ran can be told without decoding what it gave. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE node_runs ADD COLUMN start_time bigint, ADD COLUMN execution_time integer').execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE node_runs DROP COLUMN start_time, DROP COLUMN execution_time').execute(db);
}
