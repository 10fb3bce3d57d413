import { type Kysely, sql } from 'kysely';

/** Executions that wait without a worker, those that others call, and those that start because another one failed. */
const statements = [
  `ALTER TABLE executions
    ADD COLUMN parent_execution_id bigint,
    ADD COLUMN call_depth smallint NOT NULL DEFAULT 0,
    ADD COLUMN error_of bigint,
    ADD COLUMN resume_at timestamptz`,
  `CREATE INDEX executions_children ON executions (parent_execution_id, status, id) WHERE parent_execution_id IS NOT NULL`,
  `CREATE INDEX executions_live_children ON executions (parent_execution_id)
    WHERE parent_execution_id IS NOT NULL AND status IN ('new', 'running', 'waiting')`,
  `CREATE UNIQUE INDEX executions_error_of ON executions (error_of) WHERE error_of IS NOT NULL`,
  `CREATE INDEX executions_due ON executions (resume_at) WHERE status = 'waiting' AND resume_at IS NOT NULL`,
  `CREATE TABLE execution_waits (
    execution_id bigint NOT NULL REFERENCES executions ON DELETE CASCADE,
    attempt integer NOT NULL,
    kind text NOT NULL CHECK (kind IN ('time', 'call', 'workflows')),
    node_name text NOT NULL,
    run_index integer NOT NULL,
    start_time bigint NOT NULL,
    tried integer NOT NULL,
    resume_token text NOT NULL,
    call json,
    event bytea,
    children bigint[],
    all_runs boolean[],
    stop_at_failure boolean NOT NULL DEFAULT false,
    PRIMARY KEY (execution_id, attempt)
  )`,
  `ALTER TABLE execution_waits ALTER COLUMN event SET STORAGE EXTERNAL`,
  `ALTER TABLE workflow_graphs ADD COLUMN error_workflow_id text`,
  // Only names that need no unescaping: the others cannot be read here without a risk of failing at one of them.
  `UPDATE workflow_graphs SET error_workflow_id = trim('"' FROM (content -> 'settings' -> 'errorWorkflow')::text)
    WHERE (content -> 'settings' -> 'errorWorkflow')::text ~ '^"[A-Za-z0-9_-]{1,128}"$'`,
  `CREATE TABLE error_starts (
    execution_id bigint PRIMARY KEY REFERENCES executions ON DELETE CASCADE,
    error_workflow_id text NOT NULL
  )`,
  // A run by hand, and what it calls or what retries it, is a test; and what an error has started starts nothing in its turn.
  `CREATE FUNCTION plan_error_start() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      target text;
    BEGIN
      SELECT error_workflow_id INTO target FROM workflow_graphs WHERE workflow_id = NEW.workflow_id AND hash = NEW.graph_hash;
      IF target IS NULL THEN RETURN NULL; END IF;
      INSERT INTO error_starts (execution_id, error_workflow_id)
        WITH RECURSIVE origin AS (
          SELECT NEW.mode AS mode, NEW.error_of AS error_of, coalesce(NEW.parent_execution_id, NEW.retry_of) AS comes_from
          UNION ALL
          SELECT e.mode, e.error_of, coalesce(e.parent_execution_id, e.retry_of) FROM origin o JOIN executions e ON e.id = o.comes_from
        )
        SELECT NEW.id, target WHERE NOT EXISTS (SELECT FROM origin WHERE mode = 'manual' OR error_of IS NOT NULL);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER executions_error_start AFTER UPDATE OF status ON executions FOR EACH ROW
    WHEN (NEW.status IN ('error', 'crashed') AND OLD.status <> NEW.status AND NEW.mode <> 'manual')
    EXECUTE FUNCTION plan_error_start()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TRIGGER executions_error_start ON executions').execute(db);
  await sql.raw('DROP FUNCTION plan_error_start').execute(db);
  await sql.raw('DROP TABLE error_starts, execution_waits').execute(db);
  await sql.raw('ALTER TABLE workflow_graphs DROP COLUMN error_workflow_id').execute(db);
  await sql.raw('DROP INDEX executions_due').execute(db);
  const columns = ['parent_execution_id', 'call_depth', 'error_of', 'resume_at'].map((column) => `DROP COLUMN ${column}`);
  await sql.raw(`ALTER TABLE executions ${columns.join(', ')}`).execute(db);
}
