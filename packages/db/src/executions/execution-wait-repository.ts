import type {
  ExecutionId,
  ExecutionStatus,
  ExpectedRequest,
  ResumeRequest,
  SuspendedRun,
  Suspension,
  WorkerId,
  WorkflowId,
} from '@sluice/domain';
import { decodeJson, encodeJson, encodeText } from '../codec.ts';
import type { Database } from '../database.ts';
import { rows, statement, value } from '../statement.ts';
import type { AttemptRef } from './attempt-ref.ts';
import type { StoredBinary } from './binary-repository.ts';
import { childRows, type NewChild } from './new-child.ts';

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
}

/** `first`: the first child, which runs now. */
export interface Suspended {
  first: AttemptRef | undefined;
}

/** An ended wait, for the attempt that resumes. */
export interface EndedWait {
  suspended: SuspendedRun;
  resumeToken: string;
  kind: Suspension['kind'];
  /** The request that resumed it; `undefined` if none did. */
  received: ResumeRequest | undefined;
  /** Its sub-executions, in order. */
  children: { id: ExecutionId; allRuns: boolean }[];
  stopAtFailure: boolean;
}

/** Identity of an execution, known before it waits. */
export interface ExecutionLife {
  status: ExecutionStatus;
  createdAt: Date;
}

export interface RequestWait extends AttemptRef {
  workflowId: WorkflowId;
  resumeToken: string;
  call: ExpectedRequest;
  /** False: it has resumed or ended. */
  open: boolean;
  /** Whether a request has arrived. */
  called: boolean;
  nodeName: string;
}

// One statement stores the wait, inserts the children, and releases the worker: all or nothing. A
// child whose workflow has been deleted meanwhile violates a foreign key. Children run one after
// the other: those waiting for their turn have `queued_at = infinity`, and so does their parent, so
// that no sweep takes them for lost jobs.
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
    children: childRows,
  },
  text: (wait) => `
WITH moved AS (
  UPDATE executions e SET worker_id = NULL, attempt = e.attempt + 1,
    status = CASE WHEN ${wait.kind} = 'workflows' THEN 'running' ELSE 'waiting' END,
    queued_at = CASE WHEN ${wait.kind} = 'workflows' THEN 'infinity' ELSE now() END,
    resume_at = now() + ${wait.waitMs} * interval '1 millisecond'
  WHERE e.id = ${wait.id} AND e.attempt = ${wait.attempt} AND e.worker_id = ${wait.workerId} AND e.status = 'running'
  RETURNING e.id, e.attempt, e.user_id, e.call_depth
), requested AS (
  SELECT c.*, w.project_id, g.timeout_ms, v.id AS version_id
  FROM ${wait.children}
  LEFT JOIN workflows w ON w.id = c.workflow_id
  LEFT JOIN workflow_graphs g ON g.workflow_id = c.workflow_id AND g.hash = c.hash
  LEFT JOIN workflow_versions v ON v.id = w.version_id AND v.graph_hash = c.hash
  ORDER BY c.ord OFFSET 0
), child AS MATERIALIZED (
  SELECT requested.*, moved.id AS parent_id, moved.user_id, moved.call_depth + 1 AS depth, nextval('executions_id_seq') AS id
  FROM moved, requested
), inserted AS (
  INSERT INTO executions (id, workflow_id, project_id, graph_hash, version_id, status, mode, user_id, timeout_ms,
    parent_execution_id, call_depth, queued_at)
  SELECT id, workflow_id, coalesce(project_id, ''), hash, version_id, 'new', 'trigger', user_id, timeout_ms,
    parent_id, depth, CASE WHEN ord = 1 THEN now() ELSE 'infinity' END
  FROM child
), inputs AS (
  INSERT INTO execution_inputs (execution_id, data) SELECT id, data FROM child
), wait AS (
  INSERT INTO execution_waits (execution_id, attempt, kind, node_name, run_index, start_time, tried, resume_token, call,
    stop_at_failure, children, all_runs)
  SELECT id, attempt, ${wait.kind}, ${wait.nodeName}, ${wait.runIndex}, ${wait.startTime}, ${wait.tried}, ${wait.resumeToken}, ${wait.call}, ${wait.stopAtFailure}, (SELECT array_agg(id ORDER BY ord) FROM child), ${wait.allRuns}
  FROM moved
)
SELECT (SELECT id FROM child WHERE ord = 1) AS first FROM moved`,
});

// The clock of a time-limited run is stopped while it waits.
const resumed = `status = 'running', queued_at = now(), resume_at = NULL, deadline_at = e.deadline_at + (now() - e.queued_at)`;

const dueText = `
UPDATE executions e SET ${resumed}
WHERE e.id IN (SELECT id FROM executions WHERE status = 'waiting' AND resume_at <= now()
  ORDER BY resume_at LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING e.id AS "executionId", e.attempt`;

const nextDueText = `
SELECT extract(epoch FROM min(resume_at) - now()) * 1000 AS ms FROM executions WHERE status = 'waiting' AND resume_at IS NOT NULL`;

const resumeByRequestStatement = statement({
  name: 'resume-by-request',
  parameters: {
    id: value<ExecutionId>(),
    attempt: value<number>(),
    event: value<Buffer>(),
    files: rows<StoredBinary>('f', {
      id: ['text', ({ id }) => id],
      file_name: ['text', ({ fileName }) => fileName],
      mime_type: ['text', ({ mimeType }) => mimeType],
      size: ['bigint', ({ size }) => size],
    }),
  },
  text: ({ id, attempt, event, files }) => `
WITH resumed AS (
  UPDATE executions e SET ${resumed} WHERE e.id = ${id} AND e.attempt = ${attempt} AND e.status = 'waiting' RETURNING e.id, e.attempt
), held AS (
  INSERT INTO binary_data (id, execution_id, file_name, mime_type, size)
  SELECT f.id, r.id, f.file_name, f.mime_type, f.size
  FROM resumed r, ${files}
)
UPDATE execution_waits w SET event = ${event} FROM resumed r WHERE w.execution_id = r.id AND w.attempt = r.attempt RETURNING w.attempt`,
});

const findCallText = `
SELECT w.execution_id AS "executionId", w.attempt, e.workflow_id AS "workflowId", w.resume_token AS "resumeToken", w.call,
  e.status = 'waiting' AND e.attempt = w.attempt AS open, w.event IS NOT NULL AS called, w.node_name AS "nodeName"
FROM execution_waits w JOIN executions e ON e.id = w.execution_id
WHERE w.execution_id = $1 AND w.kind = 'call' ORDER BY w.attempt DESC`;

const lifeText = `SELECT status, created_at AS "createdAt" FROM executions WHERE id = $1`;

interface EndedRow {
  kind: Suspension['kind'];
  node_name: string;
  run_index: number;
  start_time: string;
  tried: number;
  resume_token: string;
  event: Buffer | null;
  children: ExecutionId[] | null;
  all_runs: boolean[] | null;
  stop_at_failure: boolean;
  [column: string]: unknown;
}

/**
 * Waits of executions: running → (suspend) → `waiting`, or `running` without a worker while it
 * waits for sub-executions → due, resumed by a request, or woken → `running`, unclaimed, with a job
 * for the next attempt. Each step is one guarded statement, so an execution resumes once, however
 * many processes try. `CalledExecutionRepository` handles the sub-executions.
 */
export class ExecutionWaitRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * `undefined`: this worker no longer owns the execution. Throws `ConflictError` if a workflow to
   * be called has been deleted.
   */
  async suspend(wait: NewWait): Promise<Suspended | undefined> {
    const [row] = await this.#db.query<{ first: ExecutionId | null }>(suspendStatement(toParameters(wait)));
    if (!row) return undefined;
    return { first: row.first === null ? undefined : { executionId: row.first, attempt: 1 } };
  }

  /** The wait that this attempt continues. */
  async findEnded({ executionId, attempt }: AttemptRef): Promise<EndedWait | undefined> {
    const [row] = await this.#db.query<EndedRow>({
      name: 'find-ended-wait',
      text: `SELECT * FROM execution_waits WHERE execution_id = $1 AND attempt = $2`,
      values: [executionId, attempt],
    });
    return row && toEnded(row);
  }

  /**
   * Resumes executions whose time has come, the longest overdue first. The caller enqueues them.
   */
  async resumeDue(limit: number): Promise<AttemptRef[]> {
    return this.#db.query<AttemptRef & Record<string, unknown>>({ name: 'resume-due', text: dueText, values: [limit] });
  }

  /**
   * Milliseconds until the next one is due, negative if overdue; `undefined`: no execution waits
   * for a time.
   */
  async nextDueMs(): Promise<number | undefined> {
    const [row] = await this.#db.query<{ ms: string | null }>({ name: 'next-due', text: nextDueText, values: [] });
    return row?.ms == null ? undefined : Number(row.ms);
  }

  /**
   * Waits of an execution for requests, ended and open, newest first. Also empty if the execution
   * does not exist.
   */
  async listRequestWaits(executionId: ExecutionId): Promise<RequestWait[]> {
    return this.#db.query<RequestWait & Record<string, unknown>>({
      name: 'list-call-waits',
      text: findCallText,
      values: [executionId],
    });
  }

  /** `undefined`: the execution does not exist. */
  async findLife(executionId: ExecutionId): Promise<ExecutionLife | undefined> {
    const statement = { name: 'find-execution-life', text: lifeText, values: [executionId] };
    const [row] = await this.#db.query<ExecutionLife & Record<string, unknown>>(statement);
    return row;
  }

  /**
   * Resumes the execution with a request. False: it has already resumed. The caller enqueues it.
   * `files`: files of the request, uploaded under registered ids; the execution holds them from now
   * on.
   */
  async resumeByRequest(
    { executionId, attempt }: AttemptRef,
    received: ResumeRequest,
    files: readonly StoredBinary[] = [],
  ): Promise<boolean> {
    const statement = resumeByRequestStatement({ id: executionId, attempt, event: encodeJson(received), files });
    return (await this.#db.query(statement)).length > 0;
  }

  /**
   * Key of the form page whose submission ended the wait; `undefined`: no form did, or it had no
   * key.
   */
  async findKey({ executionId, attempt }: AttemptRef): Promise<string | undefined> {
    return (await this.findEnded({ executionId, attempt }))?.received?.key;
  }
}

function toParameters({ suspended, suspension, children, ...wait }: NewWait): Parameters<typeof suspendStatement>[0] {
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
    children: children.map(({ workflow, inputJson }) => ({ workflow, data: encodeText(inputJson) })),
  };
}

function toEnded(row: EndedRow): EndedWait {
  return {
    suspended: {
      nodeName: row.node_name,
      runIndex: row.run_index,
      startTime: Number(row.start_time),
      tryNumber: row.tried,
    },
    resumeToken: row.resume_token,
    kind: row.kind,
    received: row.event ? decodeJson<ResumeRequest>(row.event) : undefined,
    children: (row.children ?? []).map((id, i) => ({ id, allRuns: row.all_runs?.[i] ?? false })),
    stopAtFailure: row.stop_at_failure,
  };
}
