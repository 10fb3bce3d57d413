import { type Kysely, sql } from 'kysely';

/** Counts of ended executions by time, for dashboards. Workers add to them from `executions`. */
const statements = [
  `CREATE TABLE execution_statistics (
    grain_s integer NOT NULL,
    at timestamptz NOT NULL,
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    status text NOT NULL,
    bin smallint NOT NULL,
    count integer NOT NULL,
    PRIMARY KEY (grain_s, at, workflow_id, status, bin)
  )`,
  'CREATE INDEX execution_statistics_workflow ON execution_statistics (workflow_id)',
  // No reference to executions: their deletion would have to check it.
  'CREATE TABLE statistics_pending (execution_id bigint PRIMARY KEY)',
  `CREATE TABLE statistics_progress (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    last_id bigint NOT NULL DEFAULT 0,
    checked_id bigint NOT NULL DEFAULT 0,
    rolled_at timestamptz NOT NULL DEFAULT now()
  )`,
  'INSERT INTO statistics_progress DEFAULT VALUES',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['statistics_progress', 'statistics_pending', 'execution_statistics'])
    await sql.raw(`DROP TABLE ${table}`).execute(db);
}
