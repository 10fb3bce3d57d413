import { type Kysely, sql } from 'kysely';

const statements = [
  // No foreign keys: the log outlives what it speaks of.
  `CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor text,
    user_id text,
    key_id text,
    ip text,
    request_id text,
    action text NOT NULL,
    object_type text,
    object_id text,
    object_name text,
    project_id text,
    outcome text NOT NULL CHECK (outcome IN ('success', 'denied', 'failed')),
    details json
  )`,
  `CREATE INDEX audit_log_at ON audit_log (at)`,
  `CREATE INDEX audit_log_object ON audit_log (object_id, id)`,
  `CREATE FUNCTION refuse_changing_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
    END $$`,
  `CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_changing_audit_log()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TABLE audit_log').execute(db);
  await sql.raw('DROP FUNCTION refuse_changing_audit_log').execute(db);
}
