import { createHash } from 'node:crypto';
import type {
  ExecutionId,
  ExecutionStatus,
  ExpectedRequest,
  JsonValue,
  ResumeRequest,
  SuspendedRun,
  Suspension,
  WorkflowId,
} from '@sluice/domain';
import type { Selectable } from 'kysely';
import type { Database } from '../../connection/database.ts';
import { packJson, unpackJson } from '../../json/codec.ts';
import { rows, statement, value } from '../../statements/statement.ts';
import type { ExecutionWaitTable } from '../../tables/wait-tables.ts';
import type { AttemptRef } from '../row/attempt-ref.ts';
import type { StoredBinary } from '../storage/binary-repository.ts';
import { type NewWait, type Suspended, suspendExecution } from './suspend-execution.ts';

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
  /** Data that the node keeps; `undefined`: none. */
  kept: JsonValue | undefined;
}

/** Identity of an execution, known before it waits. */
export interface ExecutionLife {
  status: ExecutionStatus;
  createdAt: Date;
  /** Attempt of its newest wait for a request; null if it has never waited for one. */
  lastWait: number | null;
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

// Only token hashes are compared, so that the duration of the comparison reveals nothing about a
// token.
const hasToken = `sha256(convert_to(w.resume_token, 'UTF8')) = $2`;

const requestWaits = `
SELECT w.execution_id AS "executionId", w.attempt, e.workflow_id AS "workflowId", w.resume_token AS "resumeToken", w.call,
  e.status = 'waiting' AND e.attempt = w.attempt AS open, w.event IS NOT NULL AS called, w.node_name AS "nodeName"
FROM execution_waits w JOIN executions e ON e.id = w.execution_id
WHERE w.execution_id = $1 AND w.kind = 'call'`;

const listText = `${requestWaits} ORDER BY w.attempt DESC`;
const findText = `${requestWaits} AND ${hasToken} ORDER BY w.attempt DESC`;

// Not `*`: a prepared statement fails once its result columns change, and a newer release may add a
// column.
const endedText = `
SELECT kind, node_name, run_index, start_time, tried, resume_token, event, children, all_runs, calls, counted, stop_at_failure, kept
FROM execution_waits WHERE execution_id = $1 AND attempt = $2`;

const visitorText = `
SELECT EXISTS (SELECT FROM execution_waits w WHERE w.execution_id = $1 AND w.kind = 'call' AND ${hasToken})
  OR EXISTS (SELECT FROM webhook_keys k WHERE k.execution_id = $1 AND k.key = $3) AS known`;

const lifeText = `
SELECT status, created_at AS "createdAt",
  (SELECT max(w.attempt) FROM execution_waits w WHERE w.execution_id = e.id AND w.kind = 'call') AS "lastWait"
FROM executions e WHERE id = $1`;

type EndedRow = Omit<Selectable<ExecutionWaitTable>, 'execution_id' | 'attempt' | 'call'>;

/**
 * Waits of executions: running → (suspend) → `waiting`, or `running` without a worker while it
 * waits for sub-executions → due, resumed by a request, or woken → `running`, unclaimed, with a job
 * for the next attempt. Each step is one guarded statement, so an execution resumes only once, even
 * if many processes try. `CalledExecutionRepository` handles the sub-executions.
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
  suspend(wait: NewWait): Promise<Suspended | undefined> {
    return suspendExecution(this.#db, wait);
  }

  /** The wait that this attempt continues. */
  async findEnded({ executionId, attempt }: AttemptRef): Promise<EndedWait | undefined> {
    const [row] = await this.#db.query<EndedRow>({
      name: 'find-ended-wait',
      text: endedText,
      values: [executionId, attempt],
    });
    return row && toEnded(row);
  }

  /** Resumes executions that are due, the longest overdue first. The caller enqueues them. */
  async resumeDue(limit: number): Promise<AttemptRef[]> {
    return this.#db.query<AttemptRef>({ name: 'resume-due', text: dueText, values: [limit] });
  }

  /**
   * Milliseconds until the next execution is due, negative if overdue; `undefined`: no execution
   * waits for a time.
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
    return this.#db.query<RequestWait>({
      name: 'list-call-waits',
      text: listText,
      values: [executionId],
    });
  }

  /**
   * An execution's waits for requests with this token. Reads only these, since an execution may
   * have any number of other waits.
   */
  async findRequestWaits(executionId: ExecutionId, token: string): Promise<RequestWait[]> {
    return this.#db.query<RequestWait>({
      name: 'find-call-waits',
      text: findText,
      values: [executionId, hashOf(token)],
    });
  }

  /**
   * Whether the execution has a wait with the token, or was started by the form page with the key.
   */
  async knowsVisitor(executionId: ExecutionId, { token, key }: { token: string; key: string | undefined }): Promise<boolean> {
    const values = [executionId, hashOf(token), key ?? null];
    const [row] = await this.#db.query<{ known: boolean }>({ name: 'knows-form-visitor', text: visitorText, values });
    return row?.known === true;
  }

  /** `undefined`: the execution does not exist. */
  async findLife(executionId: ExecutionId): Promise<ExecutionLife | undefined> {
    const statement = { name: 'find-execution-life', text: lifeText, values: [executionId] };
    const [row] = await this.#db.query<ExecutionLife>(statement);
    return row;
  }

  /**
   * Resumes the execution with a request. False: it has already resumed. The caller enqueues it.
   * `files`: files of the request, uploaded under registered ids; the execution now references
   * them.
   */
  async resumeByRequest(
    { executionId, attempt }: AttemptRef,
    received: ResumeRequest,
    files: readonly StoredBinary[] = [],
  ): Promise<boolean> {
    const statement = resumeByRequestStatement({ id: executionId, attempt, event: await packJson(received), files });
    return (await this.#db.query(statement)).length > 0;
  }

  /**
   * Key of the form page whose submission ended the wait; `undefined` if no form ended it, or the
   * form had no key.
   */
  async findKey({ executionId, attempt }: AttemptRef): Promise<string | undefined> {
    return (await this.findEnded({ executionId, attempt }))?.received?.key;
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

async function toEnded(row: EndedRow): Promise<EndedWait> {
  return {
    suspended: {
      nodeName: row.node_name,
      runIndex: row.run_index,
      startTime: Number(row.start_time),
      tryNumber: row.tried,
      ...(row.calls && { calls: row.calls }),
      ...(row.counted && { counted: row.counted }),
    },
    resumeToken: row.resume_token,
    kind: row.kind,
    received: row.event ? await unpackJson<ResumeRequest>(row.event) : undefined,
    children: (row.children ?? []).map((id, i) => ({ id, allRuns: row.all_runs?.[i] ?? false })),
    stopAtFailure: row.stop_at_failure,
    kept: row.kept ? await unpackJson<JsonValue>(row.kept) : undefined,
  };
}
