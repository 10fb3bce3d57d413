import type { Database } from '@sluice/db';
import { sql } from 'kysely';

/** Whether a statement in this database waits for a lock. */
export async function isLockAwaited({ kysely }: Database): Promise<boolean> {
  const { rows } = await sql`SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE NOT granted AND datname = current_database()`.execute(kysely);
  return rows.length > 0;
}
