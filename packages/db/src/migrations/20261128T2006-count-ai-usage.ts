import { type Kysely, sql } from 'kysely';

/**
 * Usage of the AI nodes of an execution and of all executions that it calls, by the one at the top.
 * This is not a foreign key: executions that nothing waits for may outlive the top.
 *
 * A wait notes the calls in progress, which are counted and start again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE executions ADD COLUMN root_execution_id bigint').execute(db);
  await sql.raw('ALTER TABLE execution_waits ADD COLUMN counted json').execute(db);
  await sql
    .raw(`CREATE TABLE ai_usages (
      root_execution_id bigint PRIMARY KEY,
      model_calls float8 NOT NULL,
      tool_calls float8 NOT NULL,
      tokens float8 NOT NULL,
      cost float8 NOT NULL,
      used_at timestamptz NOT NULL DEFAULT now()
    )`)
    .execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TABLE ai_usages').execute(db);
  await sql.raw('ALTER TABLE execution_waits DROP COLUMN counted').execute(db);
  await sql.raw('ALTER TABLE executions DROP COLUMN root_execution_id').execute(db);
}
