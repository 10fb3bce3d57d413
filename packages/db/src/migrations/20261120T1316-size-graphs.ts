import { type Kysely, sql } from 'kysely';

/** So that lists know how much they read before they read it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE workflow_graphs ADD COLUMN bytes integer').execute(db);
  await sql.raw('UPDATE workflow_graphs SET bytes = octet_length(content::text)').execute(db);
  await sql.raw('ALTER TABLE workflow_graphs ALTER COLUMN bytes SET NOT NULL').execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE workflow_graphs DROP COLUMN bytes').execute(db);
}
