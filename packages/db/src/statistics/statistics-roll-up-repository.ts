import { type Kysely, sql } from 'kysely';
import { compiled, constantSql } from '../statements/compiled.ts';
import type { Tables } from '../tables/tables.ts';
import { binSql } from './duration-bins.ts';

/**
 * Seconds of a bucket → days for which it is kept. Each ended execution is counted once in every
 * grain.
 */
const grains = [
  { grainS: 60, days: 0.3 },
  { grainS: 900, days: 2.1 },
  { grainS: 7_200, days: 31 },
] as const;

/**
 * Age in seconds at which an execution is rolled up: until then, an execution with a lower id may
 * still be committed.
 */
const settleS = 10;

const grainRows = grains.map(({ grainS, days }) => `(${grainS}, ${days * 86_400})`).join(', ');

const ended = `('success', 'error', 'canceled', 'crashed')`;

/**
 * One pass. Executions after `last_id` are read in id order, once. Those that have ended are
 * counted by the time of their end; the others are remembered in `statistics_pending` and checked
 * again, the newest in each pass and the rest in turn. The counts and the progress are one
 * transaction, so each execution is counted once. Only deleted rows of `statistics_pending` count:
 * a pass that began before the end of another one can still read the rows that the other one
 * deleted.
 */
const pass = `
WITH progress AS MATERIALIZED (
  SELECT last_id, checked_id FROM statistics_progress WHERE rolled_at <= clock_timestamp() - $2 * interval '1 millisecond'
  FOR UPDATE SKIP LOCKED
), batch AS MATERIALIZED (
  SELECT e.id, e.created_at, e.workflow_id, e.status, e.started_at, e.stopped_at
  FROM progress p, LATERAL (SELECT * FROM executions WHERE id > p.last_id ORDER BY id LIMIT $1) e
), passed AS MATERIALIZED (
  SELECT * FROM batch WHERE id < coalesce(
    (SELECT min(id) FROM batch WHERE created_at > now() - interval '${settleS} seconds'), 9223372036854775807)
), newest AS (
  SELECT execution_id FROM statistics_pending ORDER BY execution_id DESC LIMIT $1
), in_turn AS MATERIALIZED (
  SELECT s.execution_id FROM progress p,
    LATERAL (SELECT execution_id FROM statistics_pending WHERE execution_id > p.checked_id ORDER BY execution_id LIMIT $1) s
), again AS MATERIALIZED (
  SELECT p.execution_id AS id, e.workflow_id, e.status, e.started_at, e.stopped_at
  FROM (SELECT execution_id FROM newest UNION SELECT execution_id FROM in_turn) p
  LEFT JOIN executions e ON e.id = p.execution_id
  WHERE EXISTS (SELECT FROM progress) AND (e.id IS NULL OR e.status IN ${ended})
), forgotten AS (
  DELETE FROM statistics_pending WHERE execution_id IN (SELECT id FROM again) RETURNING execution_id AS id
), over AS MATERIALIZED (
  SELECT workflow_id, status, started_at, stopped_at FROM passed WHERE status IN ${ended}
  UNION ALL SELECT workflow_id, status, started_at, stopped_at FROM again JOIN forgotten USING (id) WHERE workflow_id IS NOT NULL
), remembered AS (
  INSERT INTO statistics_pending SELECT id FROM passed WHERE status NOT IN ${ended}
), counted AS (
  INSERT INTO execution_statistics AS s (grain_s, at, workflow_id, status, bin, count)
  SELECT g.grain_s, date_bin(make_interval(secs => g.grain_s), o.stopped_at, 'epoch'), o.workflow_id, o.status,
    ${binSql('o.started_at', 'o.stopped_at')}, count(*)
  FROM over o JOIN workflows w ON w.id = o.workflow_id, (VALUES ${grainRows}) AS g (grain_s, kept_s)
  WHERE o.stopped_at > now() - make_interval(secs => g.kept_s)
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (grain_s, at, workflow_id, status, bin) DO UPDATE SET count = s.count + excluded.count
)
UPDATE statistics_progress SET rolled_at = clock_timestamp(),
  last_id = greatest(last_id, (SELECT max(id) FROM passed)),
  checked_id = coalesce((SELECT max(execution_id) FROM in_turn), 0)
WHERE EXISTS (SELECT FROM progress)
RETURNING (SELECT count(*) FROM passed)::int AS passed`;

/**
 * Keeps `execution_statistics` up to date. Processes may do so concurrently: one of them works at a
 * time.
 */
export class StatisticsRollUpRepository {
  readonly #db: Kysely<Tables>;
  readonly #batch: number;

  /** `batch`: executions per transaction. */
  constructor(db: Kysely<Tables>, { batch = 5_000 } = {}) {
    this.#db = db;
    this.#batch = batch;
  }

  /**
   * Counts one batch, unless there was a pass within the last `sinceMs` milliseconds or another
   * process is at work. Resolves to whether there is more to count now.
   */
  async rollUp(sinceMs: number): Promise<boolean> {
    const { rows } = await this.#db.executeQuery<{ passed: number }>(compiled({ text: pass, values: [this.#batch, sinceMs] }));
    return rows[0]?.passed === this.#batch;
  }

  /**
   * Deletes one batch of buckets that are no longer kept. Resolves to whether there may be more.
   */
  async deleteOld(): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM execution_statistics s USING (
        SELECT o.grain_s, o.at FROM (VALUES ${constantSql(grainRows)}) AS g (grain_s, kept_s), LATERAL (
          SELECT grain_s, at FROM execution_statistics
          WHERE grain_s = g.grain_s AND at < now() - make_interval(secs => g.kept_s) ORDER BY at LIMIT 1) o
      ) AS old WHERE s.grain_s = old.grain_s AND s.at = old.at`.execute(this.#db);
    return numAffectedRows > 0n;
  }
}
