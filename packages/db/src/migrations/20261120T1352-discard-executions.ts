import { type Kysely, sql } from 'kysely';

/** When an execution that its workflow does not want to keep is deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE executions ADD COLUMN discard_at timestamptz').execute(db);
  await sql.raw('CREATE INDEX executions_discarded ON executions (discard_at) WHERE discard_at IS NOT NULL').execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE executions DROP COLUMN discard_at').execute(db);
}
