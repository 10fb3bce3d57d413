import {
  AppError,
  ConflictError,
  type ErrorRecord,
  type ExecutionId,
  type ExecutionStatus,
  type Item,
  isTerminal,
  type NodeRun,
  type WorkflowId,
  type WorkflowRunResult,
} from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../connection/database.ts';
import { unpackText } from '../../json/codec.ts';
import { parseStored } from '../../json/long-json.ts';
import { compiled } from '../../statements/compiled.ts';
import { rows, statement, value } from '../../statements/statement.ts';
import { type RepeatedWrite, writeOnce } from '../../statements/write-once.ts';
import type { Tables } from '../../tables/tables.ts';
import { queueFullError } from '../queue/queue-gauge.ts';
import type { AttemptRef } from '../row/attempt-ref.ts';
import { passBinaries } from '../storage/binary-repository.ts';
import type { EndedWait } from './execution-wait-repository.ts';
import { childRows, encodeChildren, type NewChild } from './new-child.ts';

/** Result of checking executions that wait for their sub-executions. */
export interface WakeResult {
  /** To be enqueued: resumed parents, and the children to run next. */
  due: AttemptRef[];
  /** Skipped because an earlier sibling has failed. */
  skipped: ExecutionId[];
}

// Every condition remains true once it is true (an ended execution never changes), so several
// processes may check at once: the guards of the updates let one of them through. Only the first of
// the `new` children may have been released: it is the next to run. Parents and children that a
// limit blocks (`limit_ids`) wait for that limit only. The commit does not wait for the disk:
// changes that a Postgres crash undoes are still due, and the next sweep finds them. A claim does
// wait, and so makes the earlier changes durable too.
const wakeText = `
WITH unforced AS (
  SELECT set_config('synchronous_commit', 'off', true)
), state AS (
  SELECT p.id, p.attempt, next.id AS next_id, next.queued_at = 'infinity' AND next.limit_ids IS NULL AS next_waits, w.stop_at_failure
    AND EXISTS (SELECT FROM executions c WHERE c.parent_execution_id = p.id AND c.status IN ('error', 'canceled', 'crashed')
      AND c.id >= w.children[1]) AS is_over
  FROM unforced CROSS JOIN executions p JOIN execution_waits w ON w.execution_id = p.id AND w.attempt = p.attempt
  LEFT JOIN LATERAL (SELECT c.id, c.queued_at, c.limit_ids FROM executions c WHERE c.parent_execution_id = p.id AND c.status = 'new'
    ORDER BY c.id LIMIT 1) AS next ON true
  WHERE p.status = 'running' AND p.queued_at = 'infinity' AND p.limit_ids IS NULL AND ($1::bigint[] IS NULL OR p.id = ANY ($1::bigint[]))
    AND NOT EXISTS (SELECT FROM executions c WHERE c.parent_execution_id = p.id AND c.status IN ('running', 'waiting'))
), idle AS MATERIALIZED (
  SELECT * FROM state WHERE next_id IS NULL OR next_waits ORDER BY id LIMIT $2
), released AS (
  UPDATE executions c SET queued_at = now() FROM idle
  WHERE c.id = idle.next_id AND NOT idle.is_over AND c.status = 'new' AND c.queued_at = 'infinity' AND c.limit_ids IS NULL
  RETURNING c.id, c.attempt, c.workflow_id
), skipped AS (
  UPDATE executions c SET status = 'canceled', stopped_at = clock_timestamp() FROM idle
  WHERE idle.is_over AND c.parent_execution_id = idle.id AND c.status = 'new'
  RETURNING c.id
), woken AS (
  UPDATE executions p SET queued_at = now() FROM idle
  WHERE p.id = idle.id AND p.attempt = idle.attempt AND p.status = 'running' AND p.queued_at = 'infinity' AND p.limit_ids IS NULL
    AND (idle.next_id IS NULL OR idle.is_over)
  RETURNING p.id, p.attempt, p.workflow_id
)
SELECT * FROM released UNION ALL SELECT * FROM woken UNION ALL SELECT id, NULL, NULL FROM skipped`;

const orphansText = `
UPDATE executions SET status = 'canceled', stopped_at = clock_timestamp()
WHERE id IN (SELECT c.id FROM executions c WHERE c.parent_execution_id IS NOT NULL AND c.status IN ('new', 'running', 'waiting')
  AND NOT EXISTS (SELECT FROM executions p WHERE p.id = c.parent_execution_id AND p.status = 'running')
  ORDER BY c.id LIMIT $1 FOR UPDATE OF c SKIP LOCKED)
RETURNING id`;

/** Condition on node runs `r` that together contain the child's result. */
const isResultOf = (row: string) =>
  `r.execution_id = ${row}.id AND r.node_name = ${row}.node_name AND (r.seq = ${row}.seq OR ${row}.all_runs)`;

/**
 * Maximum number of children whose results one statement reads, and maximum stored bytes of these
 * results.
 */
const [resultsBatch, maxAtOnce] = [100, 8 * 1024 * 1024];

const resultsStatement = statement({
  name: 'read-called-results',
  parameters: {
    children: rows<EndedWait['children'][number]>(
      'requested',
      { id: ['bigint', ({ id }) => id], all_runs: ['boolean', ({ allRuns }) => allRuns] },
      'ord',
    ),
  },
  // Reads the first child in any case, and then as many as fit, without gaps in `ord`. Returns a
  // row per node run, because the driver reads arrays character by character: 1 s for 1.5 MB.
  text: ({ children }) => `
WITH found AS (
  SELECT requested.ord, requested.all_runs, c.id, c.status, c.error, w.name AS workflow_name, last.node_name, last.seq
  FROM ${children}
  LEFT JOIN executions c ON c.id = requested.id LEFT JOIN workflows w ON w.id = c.workflow_id
  LEFT JOIN LATERAL (SELECT r.node_name, r.seq FROM node_runs r WHERE r.execution_id = c.id AND c.status = 'success'
    ORDER BY r.seq DESC LIMIT 1) AS last ON true
), summed AS (
  SELECT f.*, sum((SELECT sum(octet_length(r.data)) FROM node_runs r WHERE ${isResultOf('f')})) OVER (ORDER BY f.ord) AS bytes
  FROM found f
)
SELECT s.ord, s.id, s.status, s.error, s.workflow_name, r.data
FROM summed s LEFT JOIN node_runs r ON ${isResultOf('s')}
WHERE s.ord = 1 OR coalesce(s.bytes, 0) <= ${maxAtOnce} ORDER BY s.ord, r.seq`,
});

const startStatement = statement({
  name: 'start-called',
  parameters: { parentId: value<ExecutionId>(), children: childRows, fullProjects: value<readonly string[]>('text[]') },
  text: ({ parentId, children, fullProjects }) => `
WITH parent AS (
  SELECT user_id, call_depth, coalesce(root_execution_id, id) AS root_id FROM executions WHERE id = ${parentId}
), requested AS (
  SELECT c.*, w.project_id, g.timeout_ms, v.id AS version_id
  FROM ${children}
  JOIN workflows w ON w.id = c.workflow_id AND w.project_id <> ALL (${fullProjects})
  JOIN workflow_graphs g ON g.workflow_id = c.workflow_id AND g.hash = c.hash
  LEFT JOIN workflow_versions v ON v.id = w.version_id AND v.graph_hash = c.hash
  ORDER BY c.ord OFFSET 0
), started AS MATERIALIZED (
  SELECT requested.*, parent.user_id, parent.call_depth + 1 AS depth, parent.root_id, nextval('executions_id_seq') AS id FROM parent, requested
), inserted AS (
  INSERT INTO executions (id, workflow_id, project_id, graph_hash, version_id, status, mode, user_id, timeout_ms, call_depth,
    root_execution_id)
  SELECT id, workflow_id, project_id, hash, version_id, 'new', 'trigger', user_id, timeout_ms, depth, root_id FROM started
), inputs AS (
  INSERT INTO execution_inputs (execution_id, data) SELECT id, data FROM started
)
SELECT id AS "executionId", project_id AS "projectId" FROM started ORDER BY ord`,
});

const wakeBatch = 500;
const orphanBatch = 1_000;

/** A node run in a child's result; a child without node runs has one row without data. */
interface ResultRow {
  ord: string;
  id: ExecutionId | null;
  status: ExecutionStatus;
  error: ErrorRecord | null;
  workflow_name: string;
  data: Buffer | null;
}

/** A sub-execution that its parent does not wait for. */
interface StartedCall {
  executionId: ExecutionId;
  projectId: string;
}

/**
 * Sub-executions, with parents that wait for them. All processes may call every method concurrently
 * and repeatedly.
 */
export class CalledExecutionRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Checks the given executions, or a batch of all executions, that wait for sub-executions:
   * releases the next child or resumes the parent.
   */
  async wake(parentIds?: readonly ExecutionId[]): Promise<WakeResult> {
    const rows = await this.#db.query<{ id: ExecutionId; attempt: number | null; workflow_id: WorkflowId }>({
      name: 'wake-parents',
      text: wakeText,
      values: [parentIds ?? null, wakeBatch],
    });
    return {
      due: rows.flatMap(({ id, attempt, workflow_id: workflowId }) =>
        attempt === null ? [] : [{ executionId: id, attempt, workflowId }],
      ),
      skipped: rows.filter(({ attempt }) => attempt === null).map(({ id }) => id),
    };
  }

  /**
   * Starts sub-executions that their parent does not wait for; only the call depth and the limits
   * of AI nodes still link them, so each references the files of its items from the start. Starts
   * all of them or throws: `QUEUE_FULL` for a workflow of one of the `fullProjects`,
   * `ConflictError` for a deleted one. A caller that repeats a call passes the same `write`, so
   * that they start once.
   */
  async start(
    parentId: ExecutionId,
    children: readonly NewChild[],
    fullProjects: readonly string[],
    write: RepeatedWrite<StartedCall[]> = {},
  ): Promise<StartedCall[]> {
    const statement = startStatement({ parentId, children: await encodeChildren(children), fullProjects });
    return writeOnce(this.#db.kysely, write, async (tx) => {
      const query = compiled<StartedCall>(statement);
      const { rows } = await tx.executeQuery(query);
      if (rows.length < children.length) {
        if (fullProjects.length > 0) throw queueFullError(fullProjects.join(', '));
        throw new ConflictError('a workflow to be called has been deleted in the meantime');
      }
      const filesOf = (to: ExecutionId, { fileIds = [] }: Partial<NewChild> = {}) => fileIds.map((id) => ({ id, to }));
      await passBinaries(
        tx,
        parentId,
        rows.flatMap(({ executionId }, i) => filesOf(executionId, children[i])),
      );
      return rows;
    });
  }

  /** Moves sub-executions of ended or deleted executions to `canceled`. Resolves to their ids. */
  async cancelOrphans(): Promise<ExecutionId[]> {
    const statement = { name: 'cancel-orphans', text: orphansText, values: [orphanBatch] };
    return (await this.#db.query<{ id: ExecutionId }>(statement)).map(({ id }) => id);
  }

  /**
   * How the children of an execution ended. Throws `RUN_DATA_TOO_LARGE` for more than `maxBytes` of
   * JSON in total.
   */
  async readResults({ children, stopAtFailure }: EndedWait, maxBytes: number): Promise<WorkflowRunResult[]> {
    const results: WorkflowRunResult[] = [];
    let bytes = 0;
    while (results.length < children.length) {
      const batch = children.slice(results.length, results.length + resultsBatch);
      const rows = await this.#db.query<ResultRow>(resultsStatement({ children: batch }));
      for (const ofChild of Map.groupBy(rows, ({ ord }) => ord).values()) {
        const [row] = ofChild as [ResultRow];
        const id = children[results.length]?.id ?? '';
        const failedBefore = stopAtFailure && results.some(({ status }) => status !== 'success');
        const runs = await Promise.all(ofChild.flatMap(({ data }) => (data ? [unpackText(data)] : [])));
        bytes += runs.reduce((sum, { length }) => sum + length, 0);
        if (bytes > maxBytes) throw tooLarge(maxBytes);
        results.push(failedBefore ? { executionId: id, status: 'skipped' } : await toResult(id, row, runs));
      }
    }
    return results;
  }
}

/** Part of the transaction that ends executions: cancels their sub-executions, at every depth. */
export async function cancelCalled(tx: Kysely<Tables>, parentIds: readonly ExecutionId[]): Promise<ExecutionId[]> {
  if (parentIds.length === 0) return [];
  // Locked rows are skipped, so there is no deadlock: the process that holds a row ends it, or
  // leaves it to `cancelOrphans`.
  const { rows } = await sql<{ id: ExecutionId }>`
    WITH RECURSIVE called AS (
      SELECT c.id FROM executions c WHERE c.parent_execution_id = ANY (${parentIds}::bigint[]) AND c.status IN ('new', 'running', 'waiting')
      UNION ALL
      SELECT c.id FROM called JOIN executions c ON c.parent_execution_id = called.id AND c.status IN ('new', 'running', 'waiting')
    )
    UPDATE executions SET status = 'canceled', stopped_at = clock_timestamp()
    WHERE id IN (SELECT e.id FROM executions e WHERE e.id IN (SELECT id FROM called) AND e.status IN ('new', 'running', 'waiting')
      ORDER BY e.id FOR UPDATE SKIP LOCKED)
    RETURNING id`.execute(tx);
  return rows.map(({ id }) => id);
}

async function toResult(executionId: ExecutionId, row: ResultRow, runs: readonly Buffer[]): Promise<WorkflowRunResult> {
  if (row.id !== null && row.status === 'success') {
    return { executionId, status: 'success', items: (await Promise.all(runs.map(itemsOf))).flat() };
  }
  return { executionId, status: 'failed', error: toError(executionId, row) };
}

async function itemsOf(data: Buffer): Promise<Item[]> {
  const run = (await parseStored(data.toString('utf8'))) as NodeRun;
  return run.data?.['main']?.[0] ?? [];
}

function toError(executionId: ExecutionId, { id, status, error, workflow_name: name }: ResultRow): ErrorRecord {
  if (id === null || !isTerminal(status)) return { message: `sub-execution ${executionId} no longer exists` };
  const at = error?.node === undefined ? '' : ` at node "${error.node}"`;
  const why = error?.message ?? (status === 'canceled' ? 'it was stopped' : `it is ${status}`);
  const where = `sub-workflow "${name}" failed${at}: `;
  // added only once when workflows call themselves
  return { ...error, message: why.includes(where) ? why : where + why };
}

function tooLarge(maxBytes: number): AppError {
  return new AppError({
    code: 'RUN_DATA_TOO_LARGE',
    message: `the results of the called workflows exceed the limit of ${maxBytes} bytes`,
  });
}
