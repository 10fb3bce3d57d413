import {
  type ExecutionId,
  type ExecutionMode,
  executionClaimed,
  UnavailableError,
  type WorkerId,
  type WorkflowId,
} from '@sluice/domain';
import type { Database } from '../../connection/database.ts';
import { packedHeadLength, unpackedLength, unpackJson } from '../../json/codec.ts';
import { keyed, rows, statement, value } from '../../statements/statement.ts';
import { type AttemptRef, attemptKey, sortedById } from '../row/attempt-ref.ts';
import type { ExecutionInput } from '../row/execution.ts';
import { isLimited } from '../row/limits-of.ts';

/** Everything that a worker needs to run a claimed execution, except the graph. */
export interface ClaimedExecution extends AttemptRef {
  /** Milliseconds since the epoch. */
  createdAt: number;
  workflowId: WorkflowId;
  projectId: string;
  /** Whether the workflow is active now. */
  workflowActive: boolean;
  graphHash: string;
  versionId: string | null;
  mode: ExecutionMode;
  retryOf: ExecutionId | null;
  /** The parent execution. */
  parentId: ExecutionId | null;
  callDepth: number;
  /** Milliseconds of database time until the deadline; null if it has no deadline. */
  remainingMs: number | null;
  /** The limits that it counts toward, until it ends or waits. */
  limitIds: readonly number[];
  input: ClaimedInput;
  /**
   * Whether node runs may be stored: it is a retry, has waited, or was handed back while it ran.
   */
  hasRun: boolean;
  /**
   * Database time at which it starts to run without a claim (ADR 79); absent: this worker owns it.
   */
  unclaimedSince?: string;
}

/** An attempt to claim, which may already run unclaimed. */
export interface Claim extends AttemptRef, Pick<ClaimedExecution, 'unclaimedSince'> {}

/**
 * The input of a claimed execution. Large inputs of a group could exceed the memory of the process,
 * so `RunDataRepository.findInput` reads them one by one.
 */
interface ClaimedInput {
  /** Size of its JSON in bytes; 0 without an input. */
  bytes: number;
  /** Absent if it is large. */
  data?: ExecutionInput;
}

/** Columns of `claimedColumns`. */
export interface ClaimRow {
  /** Null, like all other columns, in the single row that is returned when nothing was claimed. */
  id: ExecutionId | null;
  attempt: number;
  created_at: Date;
  workflow_id: WorkflowId;
  project_id: string;
  graph_hash: string;
  version_id: string | null;
  mode: ExecutionMode;
  retry_of: ExecutionId | null;
  parent_execution_id: ExecutionId | null;
  call_depth: number;
  active: boolean | null;
  remaining_ms: number | null;
  waited_ms: number;
  limit_ids: number[] | null;
  handed_back: number;
  /** The stored input, or only its first bytes if it is large. */
  data: Buffer | null;
  data_length: number | null;
  /** Absent: claimed. */
  unclaimed_since?: string;
  [column: string]: unknown;
}

// Whether another live worker has more of the graph's node types and should run it. Most instances
// have no community packages; then this reads one empty table once per statement.
export const isForOthers = (nodeTypes: string) => `EXISTS (SELECT FROM worker_types) AND EXISTS (
  SELECT FROM workflow_graphs g, worker_types o
  WHERE g.workflow_id = e.workflow_id AND g.hash = e.graph_hash AND g.foreign_types IS NOT NULL
    AND o.seen_at > now() - interval '60 seconds'
    AND cardinality(ARRAY(SELECT unnest(g.foreign_types) INTERSECT SELECT unnest(o.types)))
      > cardinality(ARRAY(SELECT unnest(g.foreign_types) INTERSECT SELECT unnest(${nodeTypes}))))`;

/**
 * The column updates of a claim to an execution `e`. After a limit has blocked it, or it was handed
 * back, its clock restarts.
 */
export const claimChanges = (
  workerId: string,
  at: string,
) => `status = 'running', worker_id = ${workerId}, started_at = coalesce(e.started_at, ${at}),
    deadline_at = CASE WHEN e.attempt = 1 OR e.deadline_at IS NULL THEN now() + e.timeout_ms * interval '1 millisecond' ELSE e.deadline_at END`;

/** Maximum size in bytes of an input that a claim returns: both as stored and as JSON. */
const [maxClaimedData, maxClaimedJson] = [16 * 1024, 64 * 1024];

/**
 * Milliseconds until a deadline, clamped to the range of a timer and the column; null without a
 * deadline. After a long outage or a change of the database's clock, the value may be out of range
 * in either direction.
 */
export const remainingMs = (deadline: string, least: number) => `CASE WHEN ${deadline} IS NOT NULL
  THEN least(2147483647, greatest(${least}, extract(epoch FROM ${deadline} - now()) * 1000))::int END`;

/** The columns that a claim returns for the row `claimed` and its input `i`. */
export const claimedColumns = `claimed.id, attempt, created_at, workflow_id, project_id, graph_hash, version_id, mode, retry_of, parent_execution_id,
  call_depth, limit_ids, handed_back, octet_length(i.data) AS data_length,
  CASE WHEN octet_length(i.data) <= ${maxClaimedData} THEN i.data ELSE substring(i.data FROM 1 FOR ${packedHeadLength}) END AS data,
  (SELECT w.active FROM workflows w WHERE w.id = workflow_id) AS active,
  ${remainingMs('deadline_at', 0)} AS remaining_ms,
  (extract(epoch FROM now() - CASE WHEN attempt = 1 AND parent_execution_id IS NULL THEN created_at ELSE queued_at END) * 1000)::float8 AS waited_ms`;

// The conditions on a row are written as CASE, so that no index on the status qualifies and rows
// are found by id. `queued_at = infinity` marks a row that no job may start yet: it waits for its
// turn, or for its sub-executions. A row is returned even if nothing is claimed; it shows whether
// the lease was the reason.
const claimStatement = statement({
  name: 'claim-executions',
  byKey: true,
  parameters: {
    refs: rows<Claim>('c', {
      id: ['bigint', (ref) => ref.executionId],
      attempt: ['int', (ref) => ref.attempt],
      unclaimed_since: ['timestamptz', (ref) => ref.unclaimedSince ?? null],
    }),
    workerId: value<WorkerId>(),
    nodeTypes: value<readonly string[]>('text[]'),
  },
  text: ({ refs, workerId, nodeTypes }) => `
WITH lease AS (
  SELECT coalesce((SELECT lease_expires_at > now() FROM workers WHERE id = ${workerId}), false) AS live
), claimed AS (
  UPDATE executions e SET ${claimChanges(workerId, 'coalesce(c.unclaimed_since, now())')}
  FROM ${refs}
  WHERE e.id = c.id AND e.attempt = c.attempt AND (SELECT live FROM lease) AND NOT (${isForOthers(nodeTypes)}) AND NOT (${isLimited})
    AND CASE e.status WHEN 'new' THEN e.worker_id IS NULL AND e.queued_at < 'infinity'
      WHEN 'running' THEN (e.worker_id IS NULL AND e.queued_at < 'infinity') OR e.worker_id = ${workerId} END
  RETURNING e.*
)
SELECT lease.live, ${claimedColumns}
FROM lease LEFT JOIN claimed ON true LEFT JOIN ${keyed('execution_inputs', 'execution_id = claimed.id')} i ON true`,
});

const deferStatement = statement({
  name: 'defer-execution',
  parameters: { id: value<ExecutionId>(), attempt: value<number>() },
  text: ({ id, attempt }) => `
UPDATE executions e SET queued_at = now() FROM workflow_graphs g
WHERE e.id = ${id} AND e.attempt = ${attempt} AND e.worker_id IS NULL AND e.status IN ('new', 'running') AND e.queued_at < 'infinity'
  AND g.workflow_id = e.workflow_id AND g.hash = e.graph_hash AND g.foreign_types IS NOT NULL
RETURNING (SELECT t FROM worker_types o CROSS JOIN unnest(o.types) AS t
  WHERE o.seen_at > now() - interval '60 seconds' AND t = ANY (g.foreign_types) GROUP BY t ORDER BY count(*), t LIMIT 1) AS type`,
});

/** The claiming worker, with its node types from installed packages. */
interface Claimant {
  workerId: WorkerId;
  nodeTypes: readonly string[];
}

/** One statement for all `refs` to which no limit applies; results are in the same order. */
export async function claimExecutions(
  db: Database,
  claimant: Claimant,
  refs: readonly Claim[],
): Promise<(ClaimedExecution | undefined)[]> {
  const claimRows = await db.query<ClaimRow & { /** Whether the worker's lease has not expired. */ live: boolean }>(
    claimStatement({ refs: sortedById(refs), ...claimant }),
  );
  if (!claimRows[0]?.live) throw new UnavailableError("this worker's lease has expired");
  return inOrderOf(refs, claimRows);
}

/** A new execution whose graph is known to compute only, if it has this hash. */
export interface ComputingRef extends AttemptRef {
  graphHash: string;
}

/**
 * Seconds after its start within which an execution may run unclaimed. The job of a dead worker is
 * delivered again only later. So an execution that kills its worker is claimed by the next one, and
 * ends as `crashed`.
 */
const unclaimedForS = 5;

const readStatement = statement({
  name: 'read-computing-executions',
  byKey: true,
  parameters: {
    refs: rows<ComputingRef>('c', {
      id: ['bigint', (ref) => ref.executionId],
      attempt: ['int', (ref) => ref.attempt],
      graph_hash: ['text', (ref) => ref.graphHash],
    }),
  },
  text: ({ refs }) => `
SELECT ${claimedColumns}, now()::text AS unclaimed_since
FROM (
  SELECT e.id, e.attempt, e.created_at, e.queued_at, e.workflow_id, e.project_id, e.graph_hash, e.version_id, e.mode, e.retry_of,
    e.parent_execution_id, e.call_depth, e.limit_ids, e.handed_back, now() + e.timeout_ms * interval '1 millisecond' AS deadline_at
  FROM ${refs} JOIN executions e ON e.id = c.id
  WHERE e.attempt = c.attempt AND e.graph_hash = c.graph_hash AND NOT (${isLimited})
    AND CASE e.status WHEN 'new' THEN e.worker_id IS NULL AND e.queued_at < 'infinity' END
    AND e.created_at > now() - interval '${unclaimedForS} seconds'
) AS claimed LEFT JOIN ${keyed('execution_inputs', 'execution_id = claimed.id')} i ON true`,
});

/**
 * For metrics. The time in the queue of an execution that was handed back includes its earlier run.
 */
export function observeClaim({ handed_back: handBacks, waited_ms: waitMs }: ClaimRow): void {
  if (handBacks === 0) executionClaimed.publish({ waitMs });
}

/**
 * As in `ExecutionRecorder.runUnclaimed`. One statement for all `refs`; results are in the same
 * order.
 */
export async function readComputing(db: Database, refs: readonly ComputingRef[]): Promise<(ClaimedExecution | undefined)[]> {
  return inOrderOf(refs, await db.query<ClaimRow>(readStatement({ refs })));
}

function inOrderOf(refs: readonly Claim[], claimRows: readonly ClaimRow[]): Promise<(ClaimedExecution | undefined)[]> {
  const byAttempt = new Map(
    claimRows.flatMap((row) => (row.id === null ? [] : [[attemptKey({ executionId: row.id, attempt: row.attempt }), row]])),
  );
  // If a reference occurs twice in one group (a duplicate job), only one of them gets the
  // execution.
  const claimed = refs.map((ref) => {
    const row = byAttempt.get(attemptKey(ref));
    byAttempt.delete(attemptKey(ref));
    if (row && ref.unclaimedSince === undefined) observeClaim(row);
    return row && toClaimed(ref.executionId, row);
  });
  return Promise.all(claimed);
}

/** As in `ExecutionRecorder.deferToOthers`. */
export async function deferExecution(
  db: Database,
  { executionId: id, attempt }: AttemptRef,
): Promise<{ type: string | null } | undefined> {
  const [deferred] = await db.query<{ type: string | null }>(deferStatement({ id, attempt }));
  return deferred;
}

export async function toClaimed(executionId: ExecutionId, row: ClaimRow): Promise<ClaimedExecution> {
  return {
    executionId,
    attempt: row.attempt,
    createdAt: row.created_at.getTime(),
    workflowId: row.workflow_id,
    projectId: row.project_id,
    workflowActive: row.active === true,
    graphHash: row.graph_hash,
    versionId: row.version_id,
    mode: row.mode,
    retryOf: row.retry_of,
    parentId: row.parent_execution_id,
    callDepth: row.call_depth,
    remainingMs: row.remaining_ms,
    limitIds: row.limit_ids ?? [],
    hasRun: row.retry_of !== null || row.attempt > 1 || row.handed_back > 0,
    input: await claimedInput(row),
    ...(row.unclaimed_since && { unclaimedSince: row.unclaimed_since }),
  };
}

async function claimedInput({ data, data_length: length }: ClaimRow): Promise<ClaimedInput> {
  if (!data || length === null) return { bytes: 0, data: {} };
  const bytes = unpackedLength(data, length);
  return length <= maxClaimedData && bytes <= maxClaimedJson ? { bytes, data: await unpackJson(data) } : { bytes };
}
