import { type Kysely, sql } from 'kysely';

const statements = [
  // The id makes the order total: a cursor names one place in it.
  `DROP INDEX workflow_versions_newest`,
  `CREATE INDEX workflow_versions_newest ON workflow_versions (workflow_id, created_at DESC, id DESC)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP INDEX workflow_versions_newest').execute(db);
  await sql.raw('CREATE INDEX workflow_versions_newest ON workflow_versions (workflow_id, created_at DESC)').execute(db);
}
