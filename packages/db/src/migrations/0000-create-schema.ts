import { type Kysely, sql } from 'kysely';
import { credentials } from './schema/credentials.ts';
import { dataTables } from './schema/data-tables.ts';
import { events } from './schema/events.ts';
import { executions } from './schema/executions.ts';
import { triggers } from './schema/triggers.ts';
import { usage } from './schema/usage.ts';
import { users } from './schema/users.ts';
import { workflows } from './schema/workflows.ts';

/** In the order of their references. */
const statements = [users, workflows, credentials, executions, usage, triggers, events, dataTables].flat();

/** The schema of the first release. Its name sorts before those that `new-migration.ts` creates. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) {
    const created = /^CREATE (TABLE|FUNCTION) (\w+)/.exec(statement);
    if (created) await sql.raw(`DROP ${created[1]} IF EXISTS ${created[2]} CASCADE`).execute(db);
  }
}
