import { type ExecutionId, NotFoundError, retryableStatuses } from '@sluice/domain';
import { type Kysely, type Selectable, sql } from 'kysely';
import { type Access, isAccessible } from '../../access.ts';
import type { ExecutionTable } from '../../tables/execution-tables.ts';
import type { Tables } from '../../tables/tables.ts';
import { type Execution, toExecution } from '../row/execution.ts';
import { copyBinaries } from '../storage/binary-repository.ts';
import { getExecution } from '../views/get-execution.ts';

export interface NewRetry {
  original: Execution;
  /** Projects in which the caller may start executions. */
  access: Access;
  graphHash: string;
  versionId: string | null;
  userId: string | null;
  /**
   * Which finished node runs the retry keeps: all that did not fail, except the runs of the listed
   * nodes and the calls of `subNodes` by a failed node run; or none. So a failed node runs again as
   * a whole, and an interrupted node gets the results of its finished uses.
   */
  keep: { except: readonly string[]; subNodes: readonly string[] } | 'none';
}

/**
 * Inserts a retry: `running` and started, but unclaimed (Contract 4.6). The original may have been
 * deleted, or its workflow moved to another project, since the caller read it.
 */
export async function insertRetry(
  tx: Kysely<Tables>,
  { original, access, graphHash, versionId, userId }: NewRetry,
): Promise<Execution> {
  const { rows } = await sql<Selectable<ExecutionTable>>`
    INSERT INTO executions (workflow_id, project_id, graph_hash, version_id, status, mode, user_id, retry_of,
      started_at, timeout_ms)
    SELECT w.id, w.project_id, g.hash, ${versionId}, 'running', 'retry', ${userId}, ${original.id}::bigint,
      now(), g.timeout_ms
    FROM executions o JOIN workflows w ON w.id = o.workflow_id JOIN workflow_graphs g ON g.workflow_id = w.id
    WHERE o.id = ${original.id} AND o.status = ANY (${[...retryableStatuses]}) AND g.hash = ${graphHash}
      AND ${isAccessible(access, 'w.project_id')}
    FOR SHARE OF o
    RETURNING *`.execute(tx);
  const [row] = rows;
  if (row) return toExecution(row);
  await getExecution(tx, original.id, access);
  throw new NotFoundError(`execution ${original.id} does not exist`);
}

/** Copies the original's input, files, and the node runs that the retry keeps. */
export async function copyRunData(tx: Kysely<Tables>, { original, keep }: NewRetry, id: ExecutionId): Promise<void> {
  await copyInput(tx, original.id, id);
  await copyBinaries(tx, original.id, id);
  if (keep !== 'none') await copyNodeRuns(tx, original.id, id, keep);
}

async function copyInput(tx: Kysely<Tables>, from: ExecutionId, to: ExecutionId): Promise<void> {
  await sql`INSERT INTO execution_inputs (execution_id, data)
    SELECT ${to}::bigint, data FROM execution_inputs WHERE execution_id = ${from}`.execute(tx);
}

async function copyNodeRuns(
  tx: Kysely<Tables>,
  from: ExecutionId,
  to: ExecutionId,
  { except, subNodes }: Exclude<NewRetry['keep'], 'none'>,
): Promise<void> {
  const isSub = sql<boolean>`node_name = ANY (${[...subNodes]}::text[])`;
  // Uses are stored before the run of their node, and no other node runs in the meantime.
  await sql`
    WITH ended AS (
      SELECT seq, failed, coalesce(lag(seq) OVER (ORDER BY seq), -1) AS previous
      FROM node_runs WHERE execution_id = ${from} AND NOT ${isSub}
    )
    INSERT INTO node_runs (execution_id, seq, node_name, run_index, failed, data, start_time, execution_time)
    SELECT ${to}::bigint, row_number() OVER (ORDER BY seq) - 1, node_name, run_index, failed, data, start_time, execution_time
    FROM node_runs r
    WHERE execution_id = ${from} AND NOT failed AND node_name <> ALL (${[...except]}::text[])
      AND NOT (${isSub} AND EXISTS (SELECT FROM ended e WHERE e.failed AND r.seq > e.previous AND r.seq < e.seq))`.execute(tx);
}
