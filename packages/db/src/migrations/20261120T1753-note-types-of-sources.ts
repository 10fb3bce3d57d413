import { type Kysely, sql } from 'kysely';

/** Rows that are there name no type: any worker takes them, as before, until their node changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE trigger_sources ADD COLUMN foreign_type text').execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE trigger_sources DROP COLUMN foreign_type').execute(db);
}
