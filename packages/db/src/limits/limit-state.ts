import type { ExecutionId, LimitKind, WhenFull, WorkerId } from '@sluice/domain';
import { sql, type Transaction } from 'kysely';
import { isForOthers } from '../executions/attempts/claim-executions.ts';
import { isBlocked, isCounted, limitKind, limitsOfExecution } from '../executions/row/limits-of.ts';
import { compiled, constantSql } from '../statements/compiled.ts';
import { statement, value } from '../statements/statement.ts';
import type { Tables } from '../tables/tables.ts';

/** A limit and its current usage. */
export interface LimitState {
  id: number;
  kind: LimitKind;
  maxRunning: number | null;
  perSecond: number | null;
  whenFull: WhenFull;
  /** Executions that workers run now. */
  running: number;
  /** Executions that have been unblocked, but not claimed. */
  unblocked: number;
  /** Whether it blocks any execution. */
  isBlocking: boolean;
  /** Starts within the last second, if there is a limit per second. */
  recent: number;
}

/** An execution to which limits apply, locked. */
export interface LimitedExecution {
  executionId: ExecutionId;
  attempt: number;
  parentId: ExecutionId | null;
  /** Whether it was claimed before; a retry: whether it has run before. */
  hasStarted: boolean;
  /** The worker that runs it. */
  workerId: WorkerId | null;
  /** The limits that it already counts toward, because they have unblocked it. */
  countsFor: number[];
  /** The limit that blocks it; null if it is not blocked. */
  blockedBy: number | null;
  /** Whether another worker has more of its node types. */
  isForOthers: boolean;
  /** All limits that apply to it: those of the workflow, project, and credentials. */
  limitIds: number[];
}

/** Everything that a decision depends on, while the limits are locked. */
export interface LimitedState {
  /** Database time as text, in microseconds. */
  at: string;
  limits: Map<number, LimitState>;
  /** By id. */
  executions: LimitedExecution[];
}

const executionsStatement = statement({
  name: 'lock-limited-executions',
  parameters: { ids: value<readonly ExecutionId[]>('bigint[]'), nodeTypes: value<readonly string[]>('text[]') },
  text: ({ ids, nodeTypes }) => `
SELECT e.id AS "executionId", e.attempt, e.parent_execution_id AS "parentId", e.worker_id AS "workerId",
  (e.attempt > 1 OR e.handed_back > 0 OR (e.started_at IS NOT NULL AND e.retry_of IS NULL)) AS "hasStarted",
  CASE WHEN ${isCounted('e')} THEN e.limit_ids ELSE '{}' END AS "countsFor",
  CASE WHEN ${isBlocked('e')} THEN e.limit_ids[1] END AS "blockedBy", ${isForOthers(nodeTypes)} AS "isForOthers",
  ARRAY(SELECT l.id FROM (${limitsOfExecution}) AS l ORDER BY l.workflow_id, l.project_id, l.id) AS "limitIds"
FROM executions e
WHERE e.id = ANY (${ids}) AND e.status IN ('new', 'running') AND (e.queued_at < 'infinity' OR ${isBlocked('e')})
ORDER BY e.id FOR NO KEY UPDATE OF e SKIP LOCKED`,
});

/**
 * Locks the limits of the executions, always in the order of their ids, and then the executions.
 * The state is read by later statements: it includes all changes that were made under these locks
 * before. Executions that another transaction is changing are missing.
 */
export async function lockLimits(
  tx: Transaction<Tables>,
  ids: readonly ExecutionId[],
  nodeTypes: readonly string[],
): Promise<LimitedState> {
  const { rows: locked } = await sql<{ id: number }>`
    SELECT id FROM execution_limits WHERE id IN (
      SELECT l.id FROM executions e, LATERAL (${constantSql(limitsOfExecution)}) AS l WHERE e.id = any(${ids}::bigint[]))
    ORDER BY id FOR UPDATE`.execute(tx);
  const { rows } = await readLimits(locked.map(({ id }) => id)).execute(tx);
  const limits = new Map(rows.map((limit) => [limit.id, limit]));
  const { rows: executions } = await tx.executeQuery(compiled<LimitedExecution>(executionsStatement({ ids, nodeTypes })));
  return {
    at: rows[0]?.at ?? '',
    limits,
    executions: executions.map((each) => ({ ...each, limitIds: each.limitIds.filter((id) => limits.has(id)) })),
  };
}

/** A clock that was set back must not keep starts from the future in the window. */
function readLimits(ids: readonly number[]) {
  return sql<LimitState & { at: string }>`
    WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at)
    SELECT l.id, clock.at::text AS at, max_running AS "maxRunning", per_second AS "perSecond", when_full AS "whenFull",
      ${constantSql(limitKind)} AS kind,
      counted.running, counted.unblocked, recent.count AS recent,
      EXISTS (SELECT FROM executions b WHERE ${constantSql(isBlocked('b'))} AND b.limit_ids[1] = l.id) AS "isBlocking"
    FROM clock, execution_limits l, LATERAL (
      SELECT (count(*) FILTER (WHERE c.worker_id IS NOT NULL))::int AS running,
        (count(*) FILTER (WHERE c.worker_id IS NULL))::int AS unblocked
      FROM executions c WHERE ${constantSql(isCounted('c'))} AND c.limit_ids @> ARRAY[l.id]
    ) AS counted, LATERAL (
      SELECT count(*)::int FROM unnest(l.starts) AS s WHERE s > clock.at - interval '1 second' AND s <= clock.at
    ) AS recent
    WHERE l.id = any(${ids}::integer[])`;
}
