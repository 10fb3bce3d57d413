import {
  type ErrorRecord,
  type ExecutionId,
  type ExecutionMode,
  type ExecutionStatus,
  GroupCommit,
  type NodeRunRecord,
  UnavailableError,
  type WorkerId,
  type WorkflowId,
} from '@sluice/domain';
import { packText, unpackJson } from '../codec.ts';
import type { Database } from '../database.ts';
import { leastCountedBytes } from './binary-repository.ts';
import type { ExecutionInput } from './execution.ts';

/** Identifies one attempt of one execution; every write of a worker is guarded by it. */
export interface AttemptRef {
  executionId: ExecutionId;
  attempt: number;
}

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
  /** Milliseconds of database time until the deadline; null: none. */
  remainingMs: number | null;
  input: ExecutionInput;
}

/** A node run to append; `json` is the serialized `NodeRun`. */
export interface NewNodeRun extends AttemptRef, Pick<NodeRunRecord, 'nodeName' | 'runIndex'> {
  seq: number;
  failed: boolean;
  /** As in the `NodeRun`. */
  startTime: number;
  executionTime: number;
  json: string;
}

export type FinalStatus = Extract<ExecutionStatus, 'success' | 'error' | 'crashed'>;

export interface Ending extends AttemptRef {
  status: FinalStatus;
  /** The execution that this one retries; a success is linked to it. */
  retryOf: ExecutionId | null;
  error: ErrorRecord | null;
  /**
   * Whether the workflow does not keep it: it is deleted after a grace period in which its result
   * can be read.
   */
  discard?: boolean;
  /** Its last node runs that are not stored yet; they are stored together with its end. */
  runs?: readonly NewNodeRun[];
}

interface ClaimRow {
  /** Whether the worker's lease has not expired. */
  live: boolean;
  /** Null, like all columns below, in the single row that is returned when nothing was claimed. */
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
  data: Buffer | null;
  [column: string]: unknown;
}

// Whether another live worker has more of the graph's node types and should run it. Most instances
// have no community packages; then this reads one empty table once per statement.
const isForOthers = `EXISTS (SELECT FROM worker_types) AND EXISTS (
  SELECT FROM workflow_graphs g, worker_types o
  WHERE g.workflow_id = e.workflow_id AND g.hash = e.graph_hash AND g.foreign_types IS NOT NULL
    AND o.seen_at > now() - interval '60 seconds'
    AND cardinality(ARRAY(SELECT unnest(g.foreign_types) INTERSECT SELECT unnest(o.types)))
      > cardinality(ARRAY(SELECT unnest(g.foreign_types) INTERSECT SELECT unnest($4::text[]))))`;

// The conditions on a row are written as CASE, so that no index on the status qualifies and rows
// are found by id. References are sorted by id first, so that statements of several processes lock
// rows in the same order.
// `queued_at = infinity` marks a row that no job may start yet: it waits for its turn, or for its
// sub-executions. A row is returned even if nothing is claimed; it says whether the lease was the
// reason.
const claimText = `
WITH lease AS (
  SELECT coalesce((SELECT lease_expires_at > now() FROM workers WHERE id = $3), false) AS live
), claimed AS (
  UPDATE executions e SET status = 'running', worker_id = $3, started_at = coalesce(e.started_at, now()),
    deadline_at = CASE WHEN e.attempt = 1 THEN now() + e.timeout_ms * interval '1 millisecond' ELSE e.deadline_at END
  FROM unnest($1::bigint[], $2::int[]) AS c (id, attempt)
  WHERE e.id = c.id AND e.attempt = c.attempt AND (SELECT live FROM lease) AND NOT (${isForOthers})
    AND CASE e.status WHEN 'new' THEN e.worker_id IS NULL AND e.queued_at < 'infinity'
      WHEN 'running' THEN (e.worker_id IS NULL AND e.queued_at < 'infinity') OR e.worker_id = $3 END
  RETURNING e.*
)
SELECT lease.live, claimed.id, attempt, created_at, workflow_id, project_id, graph_hash, version_id, mode, retry_of, parent_execution_id, call_depth, i.data,
  (SELECT w.active FROM workflows w WHERE w.id = workflow_id) AS active,
  (extract(epoch FROM deadline_at - now()) * 1000)::int AS remaining_ms
FROM lease LEFT JOIN claimed ON true LEFT JOIN execution_inputs i ON i.execution_id = claimed.id`;

const deferText = `
UPDATE executions e SET queued_at = now() FROM workflow_graphs g
WHERE e.id = $1 AND e.attempt = $2 AND e.worker_id IS NULL AND e.status IN ('new', 'running') AND e.queued_at < 'infinity'
  AND g.workflow_id = e.workflow_id AND g.hash = e.graph_hash AND g.foreign_types IS NOT NULL
RETURNING (SELECT t FROM worker_types o CROSS JOIN unnest(o.types) AS t
  WHERE o.seen_at > now() - interval '60 seconds' AND t = ANY (g.foreign_types) GROUP BY t ORDER BY count(*), t LIMIT 1) AS type`;

// The same row again, after a commit whose reply was lost, still counts as written.
const appendText = `
INSERT INTO node_runs (execution_id, seq, node_name, run_index, failed, data, start_time, execution_time)
SELECT n.execution_id, n.seq, n.node_name, n.run_index, n.failed, n.data, n.start_time, n.execution_time
FROM unnest($2::int[], $3::bigint[], $4::int[], $5::text[], $6::int[], $7::boolean[], $8::bytea[], $9::bigint[], $10::int[])
  AS n (attempt, execution_id, seq, node_name, run_index, failed, data, start_time, execution_time)
JOIN executions e ON e.id = n.execution_id AND e.attempt = n.attempt AND CASE e.status WHEN 'running' THEN e.worker_id = $1 END
ON CONFLICT (execution_id, seq) DO UPDATE SET seq = excluded.seq
RETURNING execution_id`;

// Computed as in the trigger `count_stored_bytes`; rows that this statement itself appends are not
// visible to it.
const storedBytes = `(
  SELECT coalesce(sum(octet_length(data)), 0) FROM node_runs WHERE execution_id = e.id)
  + (SELECT coalesce(sum(greatest(size, ${leastCountedBytes})), 0)::bigint FROM binary_data WHERE execution_id = e.id)
  + coalesce((SELECT octet_length(data) FROM execution_inputs WHERE execution_id = e.id), 0)`;

// The same end again, after a commit whose reply was lost, still counts as written and changes
// nothing.
const finishText = `
UPDATE executions e SET status = i.status, stopped_at = coalesce(e.stopped_at, clock_timestamp()),
  error = CASE WHEN e.status = 'running' THEN i.error::json ELSE e.error END,
  stored_bytes = CASE WHEN e.status = 'running' THEN ${storedBytes} + i.bytes ELSE e.stored_bytes END,
  discard_at = CASE WHEN i.discard THEN coalesce(e.discard_at, clock_timestamp() + interval '10 minutes') END
FROM unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $6::boolean[], $7::bigint[]) AS i (id, attempt, status, error, discard, bytes)
WHERE e.id = i.id AND e.attempt = i.attempt AND CASE WHEN e.status IN ('running', i.status) THEN e.worker_id = $5 END
RETURNING e.id, e.status, e.retry_of`;

const finishRunsText = `
WITH ended AS (${finishText}), runs AS (
  INSERT INTO node_runs (execution_id, seq, node_name, run_index, failed, data, start_time, execution_time)
  SELECT n.execution_id, n.seq, n.node_name, n.run_index, n.failed, n.data, n.start_time, n.execution_time
  FROM unnest($8::bigint[], $9::int[], $10::text[], $11::int[], $12::boolean[], $13::bytea[], $14::bigint[], $15::int[])
    AS n (execution_id, seq, node_name, run_index, failed, data, start_time, execution_time)
  JOIN ended ON ended.id = n.execution_id
  ON CONFLICT (execution_id, seq) DO NOTHING
)`;

const finishAllText = `${finishRunsText}
SELECT id FROM ended`;

const finishRetriesText = `${finishRunsText}, linked AS (
  UPDATE executions original SET retry_success_id = ended.id
  FROM ended WHERE ended.status = 'success' AND original.id = ended.retry_of
)
SELECT id FROM ended`;

/**
 * Maximum of the column, 24 days. A node that waited may take longer; then only its `NodeRun` has
 * the exact value.
 */
const maxExecutionTimeMs = 2_147_483_647;

/**
 * Maximum characters of JSON per statement, so that a group of large node runs needs little memory.
 */
const maxGroupLength = 8 * 1024 * 1024;

const lengthOf = (runs: readonly NewNodeRun[]) => runs.reduce((sum, { json }) => sum + json.length, 0);

/**
 * A worker's writes for the executions it holds: claim → append node runs → finish. Each is a
 * guarded statement shared by all calls in flight (group commit). A failed guard returns
 * `undefined` or `false`: the execution is no longer ours; the caller stops and writes nothing
 * further for it.
 */
export class ExecutionRecorder {
  readonly #db: Database;
  readonly #claims: GroupCommit<AttemptRef, ClaimedExecution | undefined>;
  readonly #nodeRuns: GroupCommit<readonly NewNodeRun[], boolean>;
  readonly #endings: GroupCommit<Ending, boolean>;

  /**
   * @param nodeTypes this worker's types from installed packages, as `foreignTypeNames` returns
   * them.
   */
  constructor(db: Database, workerId: () => WorkerId, nodeTypes: readonly string[] = []) {
    this.#db = db;
    // A claim is sent at once: jobs arrive one at a time, and waiting for the next turn of the
    // event loop would put the queue's work for the next job first.
    this.#claims = new GroupCommit<AttemptRef, ClaimedExecution | undefined>(
      (refs) => claim(db, { workerId: workerId(), nodeTypes }, refs),
      { atOnce: true },
    );
    this.#nodeRuns = new GroupCommit<readonly NewNodeRun[], boolean>((batches) => append(db, workerId(), batches), {
      weigh: lengthOf,
      maxWeight: maxGroupLength,
    });
    this.#endings = new GroupCommit<Ending, boolean>((endings) => finish(db, workerId(), endings), {
      weigh: ({ runs = [] }) => lengthOf(runs),
      maxWeight: maxGroupLength,
    });
  }

  /**
   * Takes ownership: `new` (or a retry's unclaimed `running`) → `running`, ours. `undefined`: owned
   * by another worker, ended, or deleted. Claiming an execution again succeeds, because the reply
   * to the first claim may have been lost; so the caller must not claim what it already runs.
   * Throws `UnavailableError` while this worker's lease is expired: after a database outage, jobs
   * arrive before the renewal, and would otherwise be lost until the sweeper delivers them again.
   */
  claim(ref: AttemptRef): Promise<ClaimedExecution | undefined> {
    return this.#claims.add(ref);
  }

  /**
   * For a failed claim: whether the execution waits for a worker that has its node types, so that
   * its job has to be delivered again; and the one of these types that the fewest kinds of workers
   * have, null if no worker has any. The sweeper skips the execution meanwhile.
   */
  async deferToOthers({ executionId, attempt }: AttemptRef): Promise<{ type: string | null } | undefined> {
    const [left] = await this.#db.query<{ type: string | null }>({
      name: 'leave-execution-to-others',
      text: deferText,
      values: [executionId, attempt],
    });
    return left;
  }

  /**
   * Appends finished node runs of one execution, all or none; false if the execution is no longer
   * ours.
   */
  append(runs: readonly NewNodeRun[]): Promise<boolean> {
    return this.#nodeRuns.add(runs);
  }

  /**
   * Ends the execution and stores its last node runs; links a successful retry to its original.
   * Safe to repeat. False if the execution is no longer ours; then nothing is stored.
   */
  finish(ending: Ending): Promise<boolean> {
    return this.#endings.add(ending);
  }
}

interface Claiming {
  workerId: WorkerId;
  nodeTypes: readonly string[];
}

async function claim(
  db: Database,
  { workerId, nodeTypes }: Claiming,
  refs: AttemptRef[],
): Promise<(ClaimedExecution | undefined)[]> {
  const sorted = sortedById(refs);
  const values = [sorted.map((r) => r.executionId), sorted.map((r) => r.attempt), workerId, nodeTypes];
  const rows = await db.query<ClaimRow>({ name: 'claim-executions', text: claimText, values, byKey: true });
  if (!rows[0]?.live) throw new UnavailableError("this worker's lease has expired");
  const byId = new Map(rows.map((row) => [row.id, row]));
  // If a reference occurs twice in one group (a duplicate job), only one of them gets the claim.
  const claimed = refs.map(({ executionId }) => {
    const row = byId.get(executionId);
    byId.delete(executionId);
    return row && toClaimed(executionId, row);
  });
  return Promise.all(claimed);
}

async function toClaimed(executionId: ExecutionId, row: ClaimRow): Promise<ClaimedExecution> {
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
    input: row.data ? await unpackJson(row.data) : {},
  };
}

async function append(db: Database, workerId: WorkerId, batches: (readonly NewNodeRun[])[]): Promise<boolean[]> {
  const runs = batches.flat();
  const values = [workerId, runs.map((r) => r.attempt), ...columnsOf(runs, await packed(runs))];
  const rows = await db.query<{ execution_id: ExecutionId }>({
    name: 'append-node-runs',
    text: appendText,
    values,
    byKey: true,
  });
  const ours = new Set(rows.map((row) => row.execution_id));
  return batches.map((batch) => batch.every((run) => ours.has(run.executionId)));
}

function packed(runs: readonly NewNodeRun[]): Promise<Buffer[]> {
  return Promise.all(runs.map(({ json }) => packText(json)));
}

/** The node runs as arrays, in the order of the table's columns. */
function columnsOf(runs: readonly NewNodeRun[], data: Buffer[]): unknown[][] {
  return [
    runs.map((r) => r.executionId),
    runs.map((r) => r.seq),
    runs.map((r) => r.nodeName),
    runs.map((r) => r.runIndex),
    runs.map((r) => r.failed),
    data,
    runs.map((r) => r.startTime),
    runs.map((r) => Math.min(r.executionTime, maxExecutionTimeMs)),
  ];
}

async function finish(db: Database, workerId: WorkerId, endings: Ending[]): Promise<boolean[]> {
  const sorted = sortedById(endings);
  const data = await Promise.all(sorted.map(({ runs = [] }) => packed(runs)));
  const values = [
    sorted.map((e) => e.executionId),
    sorted.map((e) => e.attempt),
    sorted.map((e) => e.status),
    sorted.map((e) => e.error && JSON.stringify(e.error)),
    workerId,
    sorted.map((e) => e.discard ?? false),
    data.map((encoded) => encoded.reduce((sum, { length }) => sum + length, 0)),
    ...columnsOf(
      sorted.flatMap(({ runs = [] }) => runs),
      data.flat(),
    ),
  ];
  const retries = endings.some((ending) => ending.retryOf !== null);
  const statement = retries
    ? { name: 'finish-retries', text: finishRetriesText, values, byKey: true as const }
    : { name: 'finish-executions', text: finishAllText, values, byKey: true as const };
  const rows = await db.query<{ id: ExecutionId }>(statement);
  const ended = new Set(rows.map((row) => row.id));
  return endings.map((ending) => ended.has(ending.executionId));
}

function sortedById<T extends AttemptRef>(refs: readonly T[]): T[] {
  return refs.toSorted((a, b) => a.executionId.length - b.executionId.length || (a.executionId < b.executionId ? -1 : 1));
}
