import { zstdDecompressSync } from 'node:zlib';
import type { ExecutionStatus, JsonObject } from '@sluice/domain';
import { eventually } from '@sluice/test-support';
import { queryDatabase } from './database.ts';

export interface StartedExecution {
  id: string;
  status: ExecutionStatus;
  /** The worker that ran it last; null if no worker did. */
  workerId: string | null;
  /** Error of a failed execution. */
  error: string | null;
  /** For an error workflow: the failed execution that started it. */
  errorOf: string | null;
  /** Input items of its trigger. */
  items: JsonObject[];
}

/** All executions of a workflow, oldest first. */
export async function executionsOf(databaseUrl: string, workflowId: string): Promise<StartedExecution[]> {
  const rows = await queryDatabase<Omit<StartedExecution, 'items'> & { data: Buffer | null }>(
    databaseUrl,
    `SELECT e.id, e.status, e.worker_id AS "workerId", e.error ->> 'message' AS error, e.error_of AS "errorOf", i.data
      FROM executions e LEFT JOIN execution_inputs i ON i.execution_id = e.id WHERE e.workflow_id = $1 ORDER BY e.id`,
    [workflowId],
  );
  return rows.map(({ data, ...row }) => ({ ...row, items: data === null ? [] : itemsIn(data) }));
}

/** All executions of a workflow, oldest first, once all have ended. */
export function endedExecutionsOf(databaseUrl: string, workflowId: string): Promise<StartedExecution[]> {
  return eventually(async () => {
    const executions = await executionsOf(databaseUrl, workflowId);
    const open = executions.filter(({ status }) => ['new', 'running', 'waiting'].includes(status));
    if (open.length > 0) throw new Error(`not ended: ${open.map(({ id, status }) => `${id} is ${status}`)}`);
    return executions;
  });
}

/** The first byte is the compression flag. */
function itemsIn(data: Buffer): JsonObject[] {
  const body = data.subarray(1);
  const input = JSON.parse((data[0] === 1 ? zstdDecompressSync(body) : body).toString()) as {
    trigger?: { items?: { json: JsonObject }[] };
  };
  return input.trigger?.items?.map(({ json }) => json) ?? [];
}
