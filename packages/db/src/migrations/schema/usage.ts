/** Files, and what executions use and how they end: stored bytes, AI usage, limits, statistics. */
export const usage = [
  // Several executions may own one file: a retry those of its original, a child those from its
  // parent.
  `CREATE TABLE binary_data (
    id text NOT NULL,
    execution_id bigint NOT NULL REFERENCES executions ON DELETE CASCADE,
    file_name text,
    mime_type text NOT NULL,
    size bigint CHECK (size >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (id, execution_id)
  )`,
  'CREATE INDEX binary_data_execution ON binary_data (execution_id)',
  'CREATE INDEX binary_data_unfinished ON binary_data (execution_id) WHERE size IS NULL',
  `CREATE TABLE binary_leftovers (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    binary_id text NOT NULL,
    interrupted boolean NOT NULL,
    due_at timestamptz NOT NULL
  )`,
  'CREATE INDEX binary_leftovers_due ON binary_leftovers (due_at)',
  // Runs in the transaction that deletes the execution. Other owners of the file are looked up
  // later: two transactions that delete its last two owners do not see each other.
  `CREATE FUNCTION note_binary_leftover() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO binary_leftovers (binary_id, interrupted, due_at)
      VALUES (OLD.id, OLD.size IS NULL, now() + CASE WHEN OLD.size IS NULL THEN interval '15 minutes' ELSE interval '0' END);
      RETURN NULL;
    END $$`,
  'CREATE TRIGGER binary_data_deleted AFTER DELETE ON binary_data FOR EACH ROW EXECUTE FUNCTION note_binary_leftover()',

  // Bytes that executions store, by project, for the quota.
  'CREATE TABLE project_usage (project_id text PRIMARY KEY, bytes bigint NOT NULL)',
  `CREATE TABLE project_usage_changes (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project_id text NOT NULL,
    bytes bigint NOT NULL
  )`,
  `CREATE FUNCTION count_stored_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.stored_bytes := (SELECT coalesce(sum(octet_length(data)), 0) FROM node_runs WHERE execution_id = NEW.id)
      + (SELECT coalesce(sum(greatest(size, 4096)), 0) FROM binary_data WHERE execution_id = NEW.id)
      + coalesce((SELECT octet_length(data) FROM execution_inputs WHERE execution_id = NEW.id), 0);
    RETURN NEW;
  END $$`,
  // Counts ends and waits other than a worker's `finish`, which has counted. The start counts input
  // and files, so nothing is left to count for an execution that never ran. Without this condition,
  // stopping ten thousand of them took 40 % of its time in the trigger.
  `CREATE TRIGGER executions_count_bytes BEFORE UPDATE OF status ON executions FOR EACH ROW
    WHEN (NEW.status <> OLD.status AND NEW.stored_bytes = OLD.stored_bytes AND NEW.status IN ('waiting', 'error', 'canceled', 'crashed')
      AND NOT (OLD.status = 'new' AND OLD.stored_bytes > 0))
    EXECUTE FUNCTION count_stored_bytes()`,
  // At most one row for each statement and project: statements carry many executions.
  `CREATE FUNCTION note_usage() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO project_usage_changes (project_id, bytes)
      SELECT project_id, sum(stored_bytes) FROM new_rows WHERE stored_bytes <> 0 GROUP BY project_id;
    ELSIF TG_OP = 'DELETE' THEN
      INSERT INTO project_usage_changes (project_id, bytes)
      SELECT project_id, -sum(stored_bytes) FROM old_rows WHERE stored_bytes <> 0 GROUP BY project_id;
    ELSE
      INSERT INTO project_usage_changes (project_id, bytes)
      SELECT project_id, sum(bytes) FROM (
        SELECT project_id, stored_bytes AS bytes FROM new_rows UNION ALL SELECT project_id, -stored_bytes FROM old_rows
      ) AS both_rows GROUP BY project_id HAVING sum(bytes) <> 0;
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER executions_inserted_usage AFTER INSERT ON executions REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION note_usage()`,
  `CREATE TRIGGER executions_deleted_usage AFTER DELETE ON executions REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION note_usage()`,
  `CREATE TRIGGER executions_updated_usage AFTER UPDATE ON executions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION note_usage()`,

  // Usage of the AI nodes of an execution and of all executions that it calls, by the topmost one.
  // Without a foreign key: children without a waiting parent may outlive the topmost execution.
  `CREATE TABLE ai_usages (
    root_execution_id bigint PRIMARY KEY,
    model_calls float8 NOT NULL,
    tool_calls float8 NOT NULL,
    tokens float8 NOT NULL,
    cost float8 NOT NULL,
    used_at timestamptz NOT NULL DEFAULT now()
  )`,

  // Limits of executions that run at once, or that start per second.
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
  'ALTER TABLE execution_limits SET (fillfactor = 50)',

  // Counts of ended executions by time, for dashboards. Workers add to them from `executions`.
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
  // Without a foreign key: each deletion of an execution would have to check it.
  'CREATE TABLE statistics_pending (execution_id bigint PRIMARY KEY)',
  `CREATE TABLE statistics_progress (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    last_id bigint NOT NULL DEFAULT 0,
    checked_id bigint NOT NULL DEFAULT 0,
    rolled_at timestamptz NOT NULL DEFAULT now()
  )`,
  'INSERT INTO statistics_progress DEFAULT VALUES',
];
