import { type Kysely, sql } from 'kysely';

/** Graphs that no version uses are deleted after the last execution that used them. */
const statements = [
  // When to look for references to the graph; null: never, because a version uses it, and versions
  // are deleted only with their workflow.
  'ALTER TABLE workflow_graphs ADD COLUMN check_at timestamptz',
  `ALTER TABLE workflow_graphs ALTER COLUMN check_at SET DEFAULT now() + interval '1 day'`,
  `UPDATE workflow_graphs g SET check_at = now() + interval '1 day' WHERE NOT EXISTS (
    SELECT FROM workflow_versions v WHERE v.workflow_id = g.workflow_id AND v.graph_hash = g.hash)`,
  'CREATE INDEX workflow_graphs_check ON workflow_graphs (check_at) WHERE check_at IS NOT NULL',
  'CREATE INDEX workflow_versions_graph ON workflow_versions (workflow_id, graph_hash)',
  // Executions of a version, which are nearly all, are not in it and cost nothing.
  'CREATE INDEX executions_unversioned ON executions (workflow_id, graph_hash) WHERE version_id IS NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP INDEX executions_unversioned, workflow_versions_graph').execute(db);
  await sql.raw('ALTER TABLE workflow_graphs DROP COLUMN check_at').execute(db);
}
