import { type Kysely, sql } from 'kysely';

/** The triggers of active workflows. Workflows that are already active get their rows when they are activated again. */
const statements = [
  `CREATE TABLE triggers (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    node_name text NOT NULL,
    ordinal smallint NOT NULL,
    kind text NOT NULL,
    spec json NOT NULL,
    state json,
    next_at timestamptz,
    retry_at timestamptz,
    failures integer NOT NULL DEFAULT 0,
    last_error text,
    last_execution_id bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (workflow_id, node_name, ordinal)
  )`,
  `CREATE INDEX triggers_due ON triggers (greatest(next_at, retry_at)) WHERE next_at IS NOT NULL`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TABLE triggers').execute(db);
}
