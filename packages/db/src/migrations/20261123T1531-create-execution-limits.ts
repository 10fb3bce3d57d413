import { type Kysely, sql } from 'kysely';

/** Limits of executions that run at once, or that start per second. */
const statements = [
  `CREATE TABLE execution_limits (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workflow_id text UNIQUE REFERENCES workflows ON DELETE CASCADE,
    project_id text UNIQUE REFERENCES projects ON DELETE CASCADE,
    credential_id text UNIQUE REFERENCES credentials ON DELETE CASCADE,
    max_running integer CHECK (max_running > 0),
    per_second integer CHECK (per_second > 0),
    when_full text NOT NULL DEFAULT 'queue' CHECK (when_full IN ('queue', 'skip')),
    starts timestamptz[] NOT NULL DEFAULT '{}',
    CHECK (num_nonnulls(workflow_id, project_id, credential_id) = 1),
    CHECK (num_nonnulls(max_running, per_second) > 0)
  )`,
  // The rows are few, locked and updated often.
  `ALTER TABLE execution_limits SET (fillfactor = 50)`,
  `ALTER TABLE workflow_graphs ADD COLUMN credential_ids text[]`,
  // By the text of the content: a part of it cannot be read if any string has an escaped NUL. A
  // property `id` elsewhere that equals the id of a credential counts too.
  `UPDATE workflow_graphs g SET credential_ids = found.ids FROM (
    SELECT w.workflow_id, w.hash, array_agg(DISTINCT c.id ORDER BY c.id) AS ids
    FROM workflow_graphs w, regexp_matches(w.content::text, '"id"\\s*:\\s*"([^"\\\\]{1,128})"', 'g') AS named
    JOIN credentials c ON c.id = named[1] GROUP BY w.workflow_id, w.hash
  ) AS found WHERE g.workflow_id = found.workflow_id AND g.hash = found.hash`,
  `ALTER TABLE executions ADD COLUMN limit_ids integer[]`,
  // Executions that count for a limit: they run, or have been unblocked. GIN without a pending list,
  // so that a count reads no more than it counts.
  `CREATE INDEX executions_limited ON executions USING gin (limit_ids) WITH (fastupdate = off)
    WHERE limit_ids IS NOT NULL AND status IN ('new', 'running') AND queued_at < 'infinity'`,
  `CREATE INDEX executions_blocked ON executions ((limit_ids[1]), id)
    WHERE limit_ids IS NOT NULL AND status IN ('new', 'running') AND queued_at = 'infinity'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE executions DROP COLUMN limit_ids').execute(db);
  await sql.raw('ALTER TABLE workflow_graphs DROP COLUMN credential_ids').execute(db);
  await sql.raw('DROP TABLE execution_limits').execute(db);
}
