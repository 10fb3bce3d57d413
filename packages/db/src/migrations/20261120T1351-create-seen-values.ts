import { type Kysely, sql } from 'kysely';

/** Values that executions of a workflow have seen: their hashes, and the greatest value of each kind. */
const statements = [
  `CREATE TABLE seen_values (
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    scope text NOT NULL,
    hash bytea NOT NULL,
    seen_at timestamptz NOT NULL,
    position integer NOT NULL,
    PRIMARY KEY (workflow_id, scope, hash)
  )`,
  `CREATE INDEX seen_values_newest ON seen_values (workflow_id, scope, seen_at DESC, position DESC)`,
  `CREATE TABLE seen_marks (
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    scope text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('number', 'date')),
    mark double precision NOT NULL,
    PRIMARY KEY (workflow_id, scope, kind)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TABLE seen_marks, seen_values').execute(db);
}
