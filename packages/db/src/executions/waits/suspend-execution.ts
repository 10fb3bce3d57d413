import type { ExecutionId, SuspendedRun, Suspension, WorkerId, WorkflowId } from '@sluice/domain';
import type { Database } from '../../connection/database.ts';
import { packText } from '../../json/codec.ts';
import { statement, value } from '../../statements/statement.ts';
import type { AttemptRef } from '../row/attempt-ref.ts';
import { childRows, type EncodedChild, encodeChildren, type NewChild } from './new-child.ts';

/**
 * A wait to be stored: the execution releases its worker until the event that `suspension`
 * describes.
 */
export interface NewWait extends AttemptRef {
  workerId: WorkerId;
  suspended: SuspendedRun;
  suspension: Suspension;
  /** Token that a resume request must present. */
  resumeToken: string;
  /**
   * Milliseconds after which it resumes without an event; `undefined`: only the event resumes it.
   */
  waitMs: number | undefined;
  /** For `workflows`: the sub-executions to start, in order. */
  children: readonly NewChild[];
  /** For `workflows`: JSON of the data that the node gets back with the results. */
  keptJson?: string | undefined;
}

/** `first`: the first child, which runs now. */
export interface Suspended {
  first: AttemptRef | undefined;
}

// One statement stores the wait, inserts the children, and releases the worker: all or nothing. A
// child whose workflow has been deleted in the meantime violates a foreign key. Children run one
// after the other: waiting children and their parent have `queued_at = infinity`, so that no sweep
// mistakes them for lost jobs.
const suspendStatement = statement({
  name: 'suspend-execution',
  parameters: {
    id: value<ExecutionId>(),
    attempt: value<number>(),
    workerId: value<WorkerId>(),
    kind: value<Suspension['kind']>(),
    nodeName: value<string>(),
    runIndex: value<number>(),
    startTime: value<number>(),
    tried: value<number>(),
    resumeToken: value<string>(),
    call: value<string | null>('json'),
    stopAtFailure: value<boolean>(),
    waitMs: value<number | null>('float8'),
    allRuns: value<boolean[] | null>('boolean[]'),
    calls: value<readonly string[] | null>('text[]'),
    counted: value<string | null>('json'),
    kept: value<Buffer | null>('bytea'),
    children: childRows,
  },
  text: (wait) => `
WITH moved AS (
  UPDATE executions e SET worker_id = NULL, limit_ids = NULL, attempt = e.attempt + 1,
    status = CASE WHEN ${wait.kind} = 'workflows' THEN 'running' ELSE 'waiting' END,
    queued_at = CASE WHEN ${wait.kind} = 'workflows' THEN 'infinity' ELSE now() END,
    resume_at = now() + ${wait.waitMs} * interval '1 millisecond'
  WHERE e.id = ${wait.id} AND e.attempt = ${wait.attempt} AND e.worker_id = ${wait.workerId} AND e.status = 'running'
  RETURNING e.id, e.attempt, e.user_id, e.call_depth, coalesce(e.root_execution_id, e.id) AS root_id
), requested AS (
  SELECT c.*, w.project_id, g.timeout_ms, v.id AS version_id
  FROM ${wait.children}
  LEFT JOIN workflows w ON w.id = c.workflow_id
  LEFT JOIN workflow_graphs g ON g.workflow_id = c.workflow_id AND g.hash = c.hash
  LEFT JOIN workflow_versions v ON v.id = w.version_id AND v.graph_hash = c.hash
  ORDER BY c.ord OFFSET 0
), child AS MATERIALIZED (
  SELECT requested.*, moved.id AS parent_id, moved.user_id, moved.call_depth + 1 AS depth, moved.root_id, nextval('executions_id_seq') AS id
  FROM moved, requested
), inserted AS (
  INSERT INTO executions (id, workflow_id, project_id, graph_hash, version_id, status, mode, user_id, timeout_ms,
    parent_execution_id, call_depth, root_execution_id, queued_at)
  SELECT id, workflow_id, coalesce(project_id, ''), hash, version_id, 'new', 'trigger', user_id, timeout_ms,
    parent_id, depth, root_id, CASE WHEN ord = 1 THEN now() ELSE 'infinity' END
  FROM child
), inputs AS (
  INSERT INTO execution_inputs (execution_id, data) SELECT id, data FROM child
), wait AS (
  INSERT INTO execution_waits (execution_id, attempt, kind, node_name, run_index, start_time, tried, resume_token, call,
    stop_at_failure, children, all_runs, calls, counted, kept)
  SELECT id, attempt, ${wait.kind}, ${wait.nodeName}, ${wait.runIndex}, ${wait.startTime}, ${wait.tried}, ${wait.resumeToken}, ${wait.call}, ${wait.stopAtFailure}, (SELECT array_agg(id ORDER BY ord) FROM child), ${wait.allRuns}, ${wait.calls}, ${wait.counted}, ${wait.kept}
  FROM moved
)
SELECT (SELECT id FROM child WHERE ord = 1) AS first FROM moved`,
});

/** As in `ExecutionWaitRepository.suspend`. */
export async function suspendExecution(db: Database, wait: NewWait): Promise<Suspended | undefined> {
  const kept = wait.keptJson === undefined ? null : await packText(wait.keptJson);
  const [row] = await db.query<{ first: ExecutionId | null }>(
    suspendStatement({ ...toParameters(wait, await encodeChildren(wait.children)), kept }),
  );
  if (!row) return undefined;
  const workflowId = wait.children[0]?.workflow.id as WorkflowId;
  return { first: row.first === null ? undefined : { executionId: row.first, attempt: 1, workflowId } };
}

function toParameters(
  { suspended, suspension, ...wait }: NewWait,
  children: readonly EncodedChild[],
): Omit<Parameters<typeof suspendStatement>[0], 'kept'> {
  return {
    id: wait.executionId,
    attempt: wait.attempt,
    workerId: wait.workerId,
    kind: suspension.kind,
    nodeName: suspended.nodeName,
    runIndex: suspended.runIndex,
    startTime: suspended.startTime,
    tried: suspended.tryNumber,
    resumeToken: wait.resumeToken,
    call: suspension.kind === 'call' ? JSON.stringify(suspension.call) : null,
    stopAtFailure: suspension.kind === 'workflows' && suspension.stopAtFailure,
    waitMs: wait.waitMs ?? null,
    allRuns: children.length > 0 ? children.map(({ workflow }) => workflow.returnsAllRuns) : null,
    calls: suspended.calls ?? null,
    counted: suspended.counted ? JSON.stringify(suspended.counted) : null,
    children,
  };
}
