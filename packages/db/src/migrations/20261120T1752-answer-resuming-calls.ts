import { type Kysely, sql } from 'kysely';

const statements = [
  // An execution answers each call that it has waited for; 0 is the call that has started it, and what workers of before answer.
  `ALTER TABLE webhook_answers ADD COLUMN to_wait integer NOT NULL DEFAULT 0`,
  `ALTER TABLE webhook_answers DROP CONSTRAINT webhook_answers_pkey`,
  `ALTER TABLE webhook_answers ADD PRIMARY KEY (execution_id, to_wait)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DELETE FROM webhook_answers WHERE to_wait <> 0').execute(db);
  await sql.raw('ALTER TABLE webhook_answers DROP CONSTRAINT webhook_answers_pkey').execute(db);
  await sql.raw('ALTER TABLE webhook_answers ADD PRIMARY KEY (execution_id)').execute(db);
  await sql.raw('ALTER TABLE webhook_answers DROP COLUMN to_wait').execute(db);
}
