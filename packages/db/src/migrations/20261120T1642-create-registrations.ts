import { type Kysely, sql } from 'kysely';

const statements = [
  // No reference to workflows: what is registered at a service has to be ended there also once its workflow is gone.
  `CREATE TABLE registrations (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    workflow_id text NOT NULL,
    project_id text NOT NULL,
    node_name text NOT NULL,
    name text NOT NULL,
    subject json NOT NULL,
    data json NOT NULL,
    wanted boolean NOT NULL,
    due_at timestamptz,
    held_by text,
    held_until timestamptz,
    failures integer NOT NULL DEFAULT 0,
    last_error text,
    unwanted_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (workflow_id, node_name, name)
  )`,
  `CREATE INDEX registrations_due ON registrations (due_at) WHERE due_at IS NOT NULL`,
  // Few at any time: those that somebody is at.
  `CREATE INDEX registrations_held ON registrations (held_until) WHERE held_until IS NOT NULL`,
  // The registrations of a deleted workflow are no longer wanted, however it was deleted.
  `CREATE FUNCTION forsake_registrations() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE registrations SET wanted = false, due_at = now(), failures = 0, unwanted_at = now()
    WHERE workflow_id = OLD.id AND wanted;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER workflows_forsake_registrations AFTER DELETE ON workflows FOR EACH ROW EXECUTE FUNCTION forsake_registrations()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TRIGGER workflows_forsake_registrations ON workflows').execute(db);
  await sql.raw('DROP FUNCTION forsake_registrations').execute(db);
  await sql.raw('DROP TABLE registrations').execute(db);
}
