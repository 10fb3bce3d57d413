import { type Kysely, sql } from 'kysely';

const statements = [
  // A key that was created with another key ends with it. Keys made by operators have no parent.
  'ALTER TABLE api_keys ADD COLUMN parent_id text REFERENCES api_keys',
  'CREATE INDEX api_keys_parent ON api_keys (parent_id) WHERE parent_id IS NOT NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE api_keys DROP COLUMN parent_id').execute(db);
}
