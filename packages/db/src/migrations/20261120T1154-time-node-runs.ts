import { type Kysely, sql } from 'kysely';

/** The time of a node run can be read without decoding its output. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE node_runs ADD COLUMN start_time bigint, ADD COLUMN execution_time integer').execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE node_runs DROP COLUMN start_time, DROP COLUMN execution_time').execute(db);
}
