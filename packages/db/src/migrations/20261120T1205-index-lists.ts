import { type Kysely, sql } from 'kysely';

/** One index per filter, in the order of the page, so that lists of any size need no scan. */
const statements = [
  `CREATE INDEX executions_status ON executions (status, id)`,
  `CREATE INDEX executions_project_status ON executions (project_id, status, id)`,
  `CREATE INDEX executions_workflow_status ON executions (workflow_id, status, id)`,
  `CREATE INDEX executions_mode ON executions (mode, id)`,
  `CREATE INDEX executions_project_mode ON executions (project_id, mode, id)`,
  // Only executions that waited for a long time. The others are found by creation time, in the order of their IDs.
  `CREATE INDEX executions_late_start ON executions (started_at) INCLUDE (id)
    WHERE started_at - created_at > interval '1 hour'`,
  // Ids grow with time, so a search among them finds an instant without an index on it.
  `CREATE FUNCTION first_execution_since(instant timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE STRICT AS $$
    DECLARE
      low bigint;
      high bigint;
      probe record;
    BEGIN
      SELECT min(id), max(id) + 1 INTO low, high FROM executions;
      WHILE low < high LOOP
        SELECT id, created_at INTO probe FROM executions WHERE id >= low + (high - low) / 2 ORDER BY id LIMIT 1;
        IF probe.created_at < instant THEN low := probe.id + 1;
        ELSE high := low + (high - low) / 2;
        END IF;
      END LOOP;
      RETURN coalesce(low, 0);
    END $$`,
  // Finds names by a part of them: every three characters in a row, in lower case. What pg_trgm does, which not every server has.
  `CREATE FUNCTION name_grams(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(DISTINCT substr(lower(name), i, 3)), '{}') FROM generate_series(1, length(lower(name)) - 2) AS i $$`,
  `CREATE INDEX workflows_name_grams ON workflows USING gin (name_grams(name))`,
  `CREATE INDEX workflows_newest_active ON workflows (created_at DESC, id DESC) WHERE active`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  const indexes =
    'executions_status, executions_project_status, executions_workflow_status, executions_mode, executions_project_mode, executions_late_start';
  await sql.raw(`DROP INDEX ${indexes}, workflows_name_grams, workflows_newest_active`).execute(db);
  await sql.raw('DROP FUNCTION first_execution_since, name_grams').execute(db);
}
