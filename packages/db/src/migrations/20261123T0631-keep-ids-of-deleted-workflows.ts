import { type Kysely, sql } from 'kysely';

const statements = [
  // A reference to a deleted workflow (a caller, a policy, an error workflow) must not reach another one.
  `CREATE TABLE deleted_workflows (
    id text PRIMARY KEY,
    deleted_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE FUNCTION keep_workflow_id() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO deleted_workflows (id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER keep_workflow_id AFTER DELETE ON workflows FOR EACH ROW EXECUTE FUNCTION keep_workflow_id()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    'DROP TRIGGER keep_workflow_id ON workflows',
    'DROP FUNCTION keep_workflow_id()',
    'DROP TABLE deleted_workflows',
  ])
    await sql.raw(statement).execute(db);
}
