import {
  type ErrorRecord,
  type ExecutionId,
  type ExecutionMode,
  type JsonObject,
  mayCall,
  type WorkflowId,
  type WorkflowSettings,
} from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { encodeJson } from '../../json/codec.ts';
import type { Tables } from '../../tables/tables.ts';
import { storedSettings } from '../graphs/stored-settings.ts';
import type { AttemptRef } from '../row/attempt-ref.ts';
import type { ExecutionInput } from '../row/execution.ts';

/**
 * Error workflows started for failures: executions to enqueue, and failures whose error workflow
 * could not be started.
 */
export interface StartedForErrors {
  started: AttemptRef[];
  refused: { executionId: ExecutionId; errorWorkflowId: WorkflowId }[];
}

interface Failure {
  id: ExecutionId;
  error_workflow_id: WorkflowId;
  mode: ExecutionMode;
  retry_of: ExecutionId | null;
  error: ErrorRecord | null;
  workflow_id: WorkflowId;
  workflow_name: string;
  last_node: string | null;
  /** Null, like the next two, if there is no such workflow. */
  same_project: boolean | null;
  settings: WorkflowSettings | null;
  graph_hash: string | null;
}

const batch = 50;

/**
 * Starts error workflows. The statement that ends a failed execution also records it in
 * `error_starts`; the transaction that inserts the execution of the error workflow removes it from
 * there. So each failure starts exactly one execution, no matter which process detected the
 * failure.
 */
export class ErrorStartRepository {
  readonly #db: Kysely<Tables>;
  readonly #urlOf: (id: ExecutionId) => string | null;

  /** `urlOf`: the URL at which an execution can be viewed. */
  constructor(db: Kysely<Tables>, urlOf: (id: ExecutionId) => string | null) {
    this.#db = db;
    this.#urlOf = urlOf;
  }

  /** Starts a batch of due error workflows. If nothing was started or refused, none were due. */
  async startSome(): Promise<StartedForErrors> {
    return this.#db.transaction().execute(async (tx) => {
      const failures = await takeFailures(tx);
      const result: StartedForErrors = { started: [], refused: [] };
      for (const failure of failures) {
        const { id: executionId, error_workflow_id: errorWorkflowId } = failure;
        if (isAllowed(failure))
          result.started.push({ executionId: await insert(tx, failure, this.#inputOf(failure)), attempt: 1 });
        else result.refused.push({ executionId, errorWorkflowId });
      }
      return result;
    });
  }

  #inputOf({ id, mode, retry_of: retryOf, error, last_node, workflow_id, workflow_name }: Failure): ExecutionInput {
    const { message = 'the execution failed', ...more } = error ?? {};
    const json = {
      execution: {
        id,
        url: this.#urlOf(id),
        ...(retryOf !== null && { retryOf }),
        error: { message, ...more },
        lastNodeExecuted: error?.node ?? last_node,
        mode,
      },
      workflow: { id: workflow_id, name: workflow_name },
    };
    return { trigger: { type: 'error-trigger', items: [{ json: json as unknown as JsonObject }] } };
  }
}

async function takeFailures(tx: Transaction<Tables>): Promise<Failure[]> {
  const { rows } = await sql<Failure>`
    WITH taken AS (
      DELETE FROM error_starts WHERE execution_id IN (SELECT execution_id FROM error_starts ORDER BY execution_id
        LIMIT ${batch} FOR UPDATE SKIP LOCKED)
      RETURNING *
    )
    SELECT e.id, taken.error_workflow_id, e.mode, e.retry_of, e.error, w.id AS workflow_id, w.name AS workflow_name,
      (SELECT r.node_name FROM node_runs r WHERE r.execution_id = e.id ORDER BY r.seq DESC LIMIT 1) AS last_node,
      t.project_id = w.project_id AS same_project, ${storedSettings} AS settings,
      coalesce(active.graph_hash, newest.graph_hash) AS graph_hash
    FROM taken JOIN executions e ON e.id = taken.execution_id JOIN workflows w ON w.id = e.workflow_id
    LEFT JOIN workflows t ON t.id = taken.error_workflow_id
    LEFT JOIN workflow_versions newest ON newest.id = t.version_id
    LEFT JOIN workflow_versions active ON active.id = t.active_version_id
    LEFT JOIN workflow_graphs g ON g.workflow_id = t.id AND g.hash = newest.graph_hash
    ORDER BY e.id`.execute(tx);
  return rows;
}

function isAllowed({ workflow_id: callerId, error_workflow_id: targetId, same_project, settings }: Failure): boolean {
  return same_project !== null && mayCall({ callerId, targetId, sameProject: same_project, settings: settings ?? undefined });
}

async function insert(tx: Transaction<Tables>, failure: Failure, input: ExecutionInput): Promise<ExecutionId> {
  const { rows } = await sql<{ id: ExecutionId }>`
    WITH inserted AS (
      INSERT INTO executions (workflow_id, project_id, graph_hash, version_id, status, mode, timeout_ms, error_of)
      SELECT w.id, w.project_id, g.hash, coalesce(w.active_version_id, w.version_id), 'new', 'trigger', g.timeout_ms, ${failure.id}::bigint
      FROM workflows w JOIN workflow_graphs g ON g.workflow_id = w.id AND g.hash = ${failure.graph_hash}
      WHERE w.id = ${failure.error_workflow_id}
      RETURNING id
    ), input AS (
      INSERT INTO execution_inputs (execution_id, data) SELECT id, ${encodeJson(input)} FROM inserted
    )
    SELECT id FROM inserted`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error(`error workflow ${failure.error_workflow_id} was deleted while it was being started`);
  return row.id;
}
