import { type Kysely, sql } from 'kysely';

const statements = [
  // In `pattern`, `:` stands for each parameter, so that two paths that the same call could not tell apart are one key. A call whose path is
  // none itself may be one that has parameters: found by its first part, which is none, and the number of parts.
  `CREATE TABLE webhook_routes (
    pattern text NOT NULL,
    method text NOT NULL,
    output smallint NOT NULL,
    has_parameters boolean NOT NULL,
    head text NOT NULL,
    parts smallint NOT NULL,
    trigger_id bigint NOT NULL REFERENCES triggers ON DELETE CASCADE,
    PRIMARY KEY (pattern, method)
  )`,
  `CREATE INDEX webhook_routes_trigger ON webhook_routes (trigger_id)`,
  `CREATE INDEX webhook_routes_parameters ON webhook_routes (head, parts) WHERE has_parameters`,
  `CREATE TABLE webhook_answers (
    execution_id bigint PRIMARY KEY REFERENCES executions ON DELETE CASCADE,
    data bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `ALTER TABLE webhook_answers ALTER COLUMN data SET STORAGE EXTERNAL`,
  // Calls of webhooks have no user: a key counts for the node that it came to.
  `CREATE TABLE webhook_keys (
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    node_name text NOT NULL,
    key text NOT NULL,
    execution_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workflow_id, node_name, key)
  )`,
  `CREATE INDEX webhook_keys_created ON webhook_keys (created_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TABLE webhook_keys, webhook_answers, webhook_routes').execute(db);
}
