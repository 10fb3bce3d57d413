import { type Kysely, sql } from 'kysely';

/** Links that sign a user in once, and the keys of the sessions that they start. */
const statements = [
  `CREATE TABLE sign_in_links (
    token_hash bytea PRIMARY KEY,
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  )`,
  `CREATE INDEX sign_in_links_user ON sign_in_links (user_id)`,
  `CREATE INDEX sign_in_links_expires_at ON sign_in_links (expires_at)`,
  `ALTER TABLE api_keys ADD COLUMN is_session boolean NOT NULL DEFAULT false`,
  `CREATE INDEX api_keys_sessions ON api_keys (expires_at) WHERE is_session`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DELETE FROM api_keys WHERE is_session').execute(db);
  await sql.raw('ALTER TABLE api_keys DROP COLUMN is_session').execute(db);
  await sql.raw('DROP TABLE sign_in_links').execute(db);
}
