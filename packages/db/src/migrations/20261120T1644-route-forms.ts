import { type Kysely, sql } from 'kysely';

const statements = [
  // Forms have paths of their own: one may be called as a webhook is. The default is for API processes of before.
  `ALTER TABLE webhook_routes ADD COLUMN kind text NOT NULL DEFAULT 'webhook'`,
  `ALTER TABLE webhook_routes DROP CONSTRAINT webhook_routes_pkey`,
  `ALTER TABLE webhook_routes ADD PRIMARY KEY (pattern, method, kind)`,
  // The key of a form identifies its sender.
  `CREATE INDEX webhook_keys_execution ON webhook_keys (execution_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP INDEX webhook_keys_execution').execute(db);
  await sql.raw(`DELETE FROM webhook_routes WHERE kind <> 'webhook'`).execute(db);
  await sql.raw('ALTER TABLE webhook_routes DROP CONSTRAINT webhook_routes_pkey').execute(db);
  await sql.raw('ALTER TABLE webhook_routes ADD PRIMARY KEY (pattern, method)').execute(db);
  await sql.raw('ALTER TABLE webhook_routes DROP COLUMN kind').execute(db);
}
