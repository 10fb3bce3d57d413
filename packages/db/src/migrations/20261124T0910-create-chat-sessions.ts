import { type Kysely, sql } from 'kysely';

/** Conversations that AI nodes remember, one row for each session of a workflow. */
const statements = [
  `CREATE TABLE chat_sessions (
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    hash bytea NOT NULL,
    messages bytea NOT NULL,
    size integer NOT NULL GENERATED ALWAYS AS (octet_length(messages) + 128) STORED,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workflow_id, hash)
  )`,
  `CREATE INDEX chat_sessions_newest ON chat_sessions (workflow_id, updated_at DESC) INCLUDE (size)`,
  `CREATE INDEX chat_sessions_updated_at ON chat_sessions (updated_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TABLE chat_sessions').execute(db);
}
