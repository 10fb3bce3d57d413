import { type Kysely, sql } from 'kysely';

const statements = [
  `CREATE TABLE credential_consents (
    state_hash bytea PRIMARY KEY,
    credential_id text NOT NULL REFERENCES credentials ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    api_key_id text NOT NULL,
    version smallint NOT NULL,
    key_id text NOT NULL,
    wrapped_dek bytea NOT NULL,
    iv bytea NOT NULL,
    ciphertext bytea NOT NULL,
    tag bytea NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  `CREATE INDEX credential_consents_credential ON credential_consents (credential_id)`,
  `CREATE INDEX credential_consents_user ON credential_consents (user_id)`,
  `CREATE INDEX credential_consents_expiry ON credential_consents (expires_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TABLE credential_consents').execute(db);
}
