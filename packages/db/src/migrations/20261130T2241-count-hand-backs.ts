import { type Kysely, sql } from 'kysely';

/** How often closing workers have handed back a running execution (ADR 80). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE executions ADD COLUMN handed_back smallint NOT NULL DEFAULT 0').execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE executions DROP COLUMN handed_back').execute(db);
}
