import { type Kysely, sql } from 'kysely';
import { limitsOfExecution } from '../executions/row/limits-of.ts';
import { constantSql } from '../statements/compiled.ts';
import type { Tables } from '../tables/tables.ts';

/**
 * Makes running executions count toward exactly the limits that apply to them now. Executions that
 * were claimed before the commit of a new limit do not count toward it yet, and those of a workflow
 * that has moved still count toward the limits of its old project. Locked rows are skipped; the
 * next sweep includes them.
 */
export async function recountLimited(db: Kysely<Tables>): Promise<void> {
  await sql`
    WITH running AS MATERIALIZED (
      SELECT e.id, ARRAY(SELECT l.id FROM (${constantSql(limitsOfExecution)}) AS l ORDER BY l.id) AS limit_ids FROM executions e
      WHERE EXISTS (SELECT FROM execution_limits) AND e.status = 'running' AND e.queued_at < 'infinity' AND e.worker_id IS NOT NULL
    ), outdated AS MATERIALIZED (
      SELECT e.id, running.limit_ids FROM executions e JOIN running ON running.id = e.id
      WHERE e.status = 'running' AND e.worker_id IS NOT NULL
        AND NOT (coalesce(e.limit_ids, '{}') @> running.limit_ids AND coalesce(e.limit_ids, '{}') <@ running.limit_ids)
      ORDER BY e.id FOR NO KEY UPDATE OF e SKIP LOCKED
    )
    UPDATE executions e SET limit_ids = outdated.limit_ids FROM outdated WHERE e.id = outdated.id`.execute(db);
}
