import { type Kysely, sql } from 'kysely';

const statements = [
  // One per workflow. Opening the test URLs again replaces the row; `id` distinguishes the times.
  `CREATE TABLE test_urls (
    workflow_id text PRIMARY KEY REFERENCES workflows ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    graph_hash text NOT NULL,
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    expires_at timestamptz NOT NULL,
    execution_id bigint
  )`,
  `CREATE INDEX test_urls_expires ON test_urls (expires_at)`,
  // As `webhook_routes`, which knows active workflows only; both kinds of address are found in the same way.
  `CREATE TABLE test_routes (
    kind text NOT NULL,
    pattern text NOT NULL,
    method text NOT NULL,
    output smallint NOT NULL,
    has_parameters boolean NOT NULL,
    head text NOT NULL,
    parts smallint NOT NULL,
    node_name text NOT NULL,
    spec json NOT NULL,
    workflow_id text NOT NULL REFERENCES test_urls ON DELETE CASCADE,
    PRIMARY KEY (kind, pattern, method)
  )`,
  `CREATE INDEX test_routes_workflow ON test_routes (workflow_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TABLE test_routes, test_urls').execute(db);
}
