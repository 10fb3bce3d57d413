import { type Kysely, sql } from 'kysely';

const statements = [
  // Alongside `triggers`, and outliving its rows: while a workflow is inactive, its nodes keep their cursors.
  `CREATE TABLE trigger_sources (
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    node_name text NOT NULL,
    ordinal smallint NOT NULL,
    fingerprint text NOT NULL,
    cursor bytea,
    hold_id text,
    worker_id text,
    held_until timestamptz,
    last_success_at timestamptz,
    PRIMARY KEY (workflow_id, node_name, ordinal)
  )`,
  `CREATE UNIQUE INDEX trigger_sources_hold ON trigger_sources (hold_id) WHERE hold_id IS NOT NULL`,
  `CREATE INDEX triggers_listen ON triggers (workflow_id) WHERE kind = 'listen'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP INDEX triggers_listen').execute(db);
  await sql.raw('DROP TABLE trigger_sources').execute(db);
}
