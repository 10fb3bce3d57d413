import type { ExecutionStatus, JsonObject } from '@sluice/domain';
import { queryDatabase } from '../e2e/support/database.ts';
import { executionsOf } from '../e2e/support/started-executions.ts';
import type { Effect } from './effects.ts';

export interface StoredExecution {
  id: string;
  workflowId: string;
  status: ExecutionStatus;
  mode: string;
  retryOf: string | null;
  parentId: string | null;
  workerId: string | null;
  startedAt: Date | null;
  stoppedAt: Date | null;
  error: string | null;
  /** Node → indexes of its successful recorded runs, with duplicates. */
  runs: Record<string, number[]>;
}

/** All executions, by id. */
export async function storedExecutions(databaseUrl: string): Promise<Map<string, StoredExecution>> {
  const rows = await queryDatabase<StoredExecution>(
    databaseUrl,
    `SELECT e.id, workflow_id AS "workflowId", status, mode, retry_of AS "retryOf", parent_execution_id AS "parentId",
        worker_id AS "workerId", started_at AS "startedAt", stopped_at AS "stoppedAt", error ->> 'message' AS error,
        coalesce(r.runs, '{}') AS runs
      FROM executions e LEFT JOIN (
        SELECT execution_id, json_object_agg(node_name, indexes) AS runs FROM (
          SELECT execution_id, node_name, json_agg(run_index) AS indexes FROM node_runs WHERE NOT failed GROUP BY 1, 2
        ) n GROUP BY 1
      ) r ON r.execution_id = e.id ORDER BY e.id`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Rows of data tables, each of which is an effect of an execution. */
export async function storedEffects(databaseUrl: string): Promise<Effect[]> {
  const rows = await queryDatabase<{ effect: string; at: Date }>(
    databaseUrl,
    'SELECT value AS effect, created_at AS at FROM data_table_rows, jsonb_each_text(data)',
  );
  return rows.map(({ effect, at }) => {
    const [node = '', executionId = '', runIndex] = effect.split('/');
    return { node, executionId, runIndex: Number(runIndex), at: at.getTime() };
  });
}

/** Executions that have not ended. */
export async function unfinished(databaseUrl: string): Promise<{ id: string; status: string }[]> {
  return queryDatabase(
    databaseUrl,
    `SELECT id, status FROM executions WHERE status IN ('new', 'running', 'waiting') ORDER BY id`,
  );
}

/** Number of events that are still to be delivered. */
export async function pendingEvents(databaseUrl: string): Promise<number> {
  const pending = `SELECT count(*)::int AS count FROM event_deliveries WHERE status = 'pending'`;
  const [row] = await queryDatabase<{ count: number }>(databaseUrl, pending);
  return row?.count ?? 0;
}

/** IDs and input items of the executions of a workflow. */
export async function inputsOf(databaseUrl: string, workflowId: string): Promise<{ id: string; items: JsonObject[] }[]> {
  return (await executionsOf(databaseUrl, workflowId)).map(({ id, items }) => ({ id, items }));
}
