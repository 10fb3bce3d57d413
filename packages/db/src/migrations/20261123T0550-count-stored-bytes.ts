import { type Kysely, sql } from 'kysely';

/** Bytes that executions store, by project, for the quota. Existing executions do not count. */
const statements = [
  'ALTER TABLE executions ADD COLUMN stored_bytes bigint NOT NULL DEFAULT 0',
  'CREATE TABLE project_usage (project_id text PRIMARY KEY, bytes bigint NOT NULL)',
  `CREATE TABLE project_usage_changes (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, project_id text NOT NULL,
    bytes bigint NOT NULL)`,
  // Ends and waits that do not come from a worker's `finish` are not counted yet.
  `CREATE FUNCTION count_stored_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.stored_bytes :=
      (SELECT coalesce(sum(octet_length(data)), 0) FROM node_runs WHERE execution_id = NEW.id)
      + (SELECT coalesce(sum(greatest(size, 4096)), 0) FROM binary_data WHERE execution_id = NEW.id)
      + coalesce((SELECT octet_length(data) FROM execution_inputs WHERE execution_id = NEW.id), 0);
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER executions_count_bytes BEFORE UPDATE OF status ON executions FOR EACH ROW
    WHEN (NEW.status <> OLD.status AND NEW.stored_bytes = OLD.stored_bytes AND NEW.status IN ('waiting', 'error', 'canceled', 'crashed'))
    EXECUTE FUNCTION count_stored_bytes()`,
  // One row for each statement and project at most: statements carry many executions.
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
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  const triggers = [
    'executions_count_bytes',
    'executions_inserted_usage',
    'executions_deleted_usage',
    'executions_updated_usage',
  ];
  for (const trigger of triggers) await sql.raw(`DROP TRIGGER ${trigger} ON executions`).execute(db);
  await sql.raw('DROP FUNCTION count_stored_bytes, note_usage').execute(db);
  await sql.raw('DROP TABLE project_usage_changes, project_usage').execute(db);
  await sql.raw('ALTER TABLE executions DROP COLUMN stored_bytes').execute(db);
}
