import { type Kysely, sql } from 'kysely';

/** Graphs that are stored already name none: any worker takes their executions, as before. */
const statements = [
  `ALTER TABLE workflow_graphs ADD COLUMN foreign_types text[]`,
  `CREATE TABLE worker_types (
    types text[] PRIMARY KEY,
    seen_at timestamptz NOT NULL
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TABLE worker_types').execute(db);
  await sql.raw('ALTER TABLE workflow_graphs DROP COLUMN foreign_types').execute(db);
}
