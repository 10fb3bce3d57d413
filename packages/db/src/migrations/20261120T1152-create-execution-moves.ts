import { type Kysely, sql } from 'kysely';

const statements = [
  `CREATE TABLE execution_moves (
    workflow_id text PRIMARY KEY REFERENCES workflows ON DELETE CASCADE,
    before_id bigint,
    last_pass boolean NOT NULL DEFAULT false,
    due_at timestamptz NOT NULL DEFAULT now()
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TABLE execution_moves').execute(db);
}
