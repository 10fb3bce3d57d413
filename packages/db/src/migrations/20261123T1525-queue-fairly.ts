import { type Kysely, sql } from 'kysely';

/** Turns of projects and workflows while more executions are queued than can start. */
const statements = [
  // Finds the next project or workflow with a queued execution in one step, and the oldest of each.
  `CREATE INDEX executions_queued ON executions (project_id, workflow_id, queued_at)
    WHERE worker_id IS NULL AND status IN ('new', 'running') AND queued_at < 'infinity'`,
  'ALTER TABLE workflow_graphs ADD COLUMN priority smallint',
  'ALTER TABLE projects ADD COLUMN weight smallint NOT NULL DEFAULT 1 CHECK (weight BETWEEN 1 AND 100)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP INDEX executions_queued').execute(db);
  await sql.raw('ALTER TABLE workflow_graphs DROP COLUMN priority').execute(db);
  await sql.raw('ALTER TABLE projects DROP COLUMN weight').execute(db);
}
