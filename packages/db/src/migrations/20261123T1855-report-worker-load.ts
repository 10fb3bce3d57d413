import { type Kysely, sql } from 'kysely';

/** Facts and load of each worker, for operators. Written with the renewal of its lease. */
const columns = [
  'version text',
  `packages json NOT NULL DEFAULT '[]'`,
  'active integer',
  'capacity integer',
  'memory_bytes bigint',
  'memory_limit_bytes bigint',
  'loop_lag_ms integer',
  'reported_at timestamptz',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`ALTER TABLE workers ${columns.map((column) => `ADD COLUMN ${column}`).join(', ')}`).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  const names = columns.map((column) => column.split(' ')[0]);
  await sql.raw(`ALTER TABLE workers ${names.map((name) => `DROP COLUMN ${name}`).join(', ')}`).execute(db);
}
