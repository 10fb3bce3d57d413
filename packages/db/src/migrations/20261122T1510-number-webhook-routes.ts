import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE webhook_routes ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY UNIQUE').execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE webhook_routes DROP COLUMN id').execute(db);
}
