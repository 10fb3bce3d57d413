import { type Kysely, sql } from 'kysely';

const statements = [
  // A key outlives the execution that it has started: for its 24 hours no other one is.
  `ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_execution_id_fkey`,
  `DROP INDEX idempotency_keys_execution`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `DELETE FROM idempotency_keys k WHERE NOT EXISTS (SELECT FROM executions e WHERE e.id = k.execution_id)`,
    `ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_execution_id_fkey
      FOREIGN KEY (execution_id) REFERENCES executions ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED`,
    `CREATE INDEX idempotency_keys_execution ON idempotency_keys (execution_id)`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}
