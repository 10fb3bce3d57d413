import { defaultPriority, type ExecutionId, type WorkflowId } from '@sluice/domain';
import type { Database } from '../../connection/database.ts';
import { rows, statement, value } from '../../statements/statement.ts';
import { isForOthers } from '../attempts/claim-executions.ts';
import type { AttemptRef } from '../row/attempt-ref.ts';

/** A workflow with queued executions, and its project. */
export interface QueuedWorkflow {
  projectId: string;
  /** Turns of the project, relative to other projects; at least 1. */
  weight: number;
  workflowId: WorkflowId;
  /** Turns of the workflow, relative to others of the project; at least 1. */
  priority: number;
  /** Milliseconds since its oldest execution was queued. */
  waitedMs: number;
}

/** Number of executions of a workflow to start. */
export interface Turns {
  projectId: string;
  workflowId: WorkflowId;
  count: number;
}

/** Condition on rows that wait for a worker, as in the index `executions_queued`. */
export const isQueued = (e: string) =>
  `${e}.worker_id IS NULL AND ${e}.status IN ('new', 'running') AND ${e}.queued_at < 'infinity'`;

// One index lookup per workflow with queued executions, regardless of their number (a loose index
// scan: https://wiki.postgresql.org/wiki/Loose_indexscan).
const listStatement = statement({
  name: 'list-queued-workflows',
  byKey: true,
  parameters: { olderThanMs: value<number>('float8') },
  text: ({ olderThanMs }) => `
WITH RECURSIVE queued AS (
  (SELECT project_id, workflow_id, queued_at FROM executions e WHERE ${isQueued('e')} ORDER BY project_id, workflow_id, queued_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM queued CROSS JOIN LATERAL (
    SELECT e.project_id, e.workflow_id, e.queued_at FROM executions e
    WHERE ${isQueued('e')} AND (e.project_id, e.workflow_id) > (queued.project_id, queued.workflow_id)
    ORDER BY e.project_id, e.workflow_id, e.queued_at LIMIT 1) AS next
)
SELECT q.project_id, coalesce(p.weight, 1) AS weight, q.workflow_id, g.priority,
  extract(epoch FROM now() - q.queued_at)::float8 * 1000 AS waited_ms
FROM queued q
JOIN workflows w ON w.id = q.workflow_id
JOIN workflow_versions v ON v.id = w.version_id
JOIN workflow_graphs g ON g.workflow_id = w.id AND g.hash = v.graph_hash
LEFT JOIN projects p ON p.id = q.project_id
WHERE q.queued_at < now() - ${olderThanMs} * interval '1 millisecond'`,
});

// Marked as queued now, so that concurrent workers take different ones. If this worker does not
// claim them, they are taken again later.
const takeStatement = statement({
  name: 'take-queued-executions',
  byKey: true,
  parameters: {
    turns: rows<Turns>('t', {
      project_id: ['text', ({ projectId }) => projectId],
      workflow_id: ['text', ({ workflowId }) => workflowId],
      count: ['int', ({ count }) => count],
    }),
    nodeTypes: value<readonly string[]>('text[]'),
    olderThanMs: value<number>('float8'),
  },
  text: ({ turns, nodeTypes, olderThanMs }) => `
WITH taken AS MATERIALIZED (
  SELECT oldest.id FROM ${turns} CROSS JOIN LATERAL (
    SELECT e.id FROM executions e
    WHERE e.project_id = t.project_id AND e.workflow_id = t.workflow_id AND ${isQueued('e')}
      AND e.queued_at < now() - ${olderThanMs} * interval '1 millisecond' AND NOT (${isForOthers(nodeTypes)})
    ORDER BY e.queued_at LIMIT t.count FOR UPDATE SKIP LOCKED) AS oldest
)
UPDATE executions e SET queued_at = now() FROM taken WHERE e.id = taken.id
RETURNING e.id, e.attempt, e.project_id, e.workflow_id`,
});

interface QueuedRow {
  project_id: string;
  weight: number;
  workflow_id: WorkflowId;
  priority: number | null;
  waited_ms: number;
  [column: string]: unknown;
}

interface TakenRow {
  id: ExecutionId;
  attempt: number;
  project_id: string;
  workflow_id: WorkflowId;
  [column: string]: unknown;
}

/** A taken execution, for which a claim should follow. */
export interface TakenExecution extends AttemptRef {
  projectId: string;
  workflowId: WorkflowId;
}

/** Executions that wait for a worker: `new`, or to be continued. */
export class QueuedExecutionRepository {
  readonly #db: Database;
  readonly #nodeTypes: readonly string[];

  /** @param nodeTypes as in `ExecutionRecorder`. */
  constructor(db: Database, nodeTypes: readonly string[] = []) {
    this.#db = db;
    this.#nodeTypes = nodeTypes;
  }

  /** The workflows with an execution that has been queued for at least `olderThanMs`. */
  async listWorkflows(olderThanMs: number): Promise<QueuedWorkflow[]> {
    const queued = await this.#db.query<QueuedRow>(listStatement({ olderThanMs }));
    return queued.map((row) => ({
      projectId: row.project_id,
      weight: row.weight,
      workflowId: row.workflow_id,
      priority: row.priority ?? defaultPriority,
      waitedMs: row.waited_ms,
    }));
  }

  /**
   * The oldest queued executions of each workflow, at most one per turn, excluding those reserved
   * for other workers. Concurrent calls return different ones; the caller claims them.
   */
  async take(turns: readonly Turns[], olderThanMs: number): Promise<TakenExecution[]> {
    const takenRows = await this.#db.query<TakenRow>(takeStatement({ turns, nodeTypes: this.#nodeTypes, olderThanMs }));
    return takenRows.map((row) => ({
      executionId: row.id,
      attempt: row.attempt,
      projectId: row.project_id,
      workflowId: row.workflow_id,
    }));
  }
}
