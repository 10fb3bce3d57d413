import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)').execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP INDEX idempotency_keys_age').execute(db);
}
