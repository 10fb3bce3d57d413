import type { ExecutionId, NodeRunRecord, WorkerId } from '@sluice/domain';
import type { Database } from '../../connection/database.ts';
import { packText } from '../../json/codec.ts';
import { type Columns, rows, statement, value } from '../../statements/statement.ts';
import type { AttemptRef } from '../row/attempt-ref.ts';

/** A node run to append; `json` is the serialized `NodeRun`. */
export interface NewNodeRun extends AttemptRef, Pick<NodeRunRecord, 'nodeName' | 'runIndex'> {
  seq: number;
  failed: boolean;
  /** As in the `NodeRun`. */
  startTime: number;
  executionTime: number;
  json: string;
}

export interface EncodedNodeRun {
  run: NewNodeRun;
  data: Buffer;
}

/**
 * Maximum value of the column, 24 days. A node that waits may take longer; then only its `NodeRun`
 * has the exact duration.
 */
const maxExecutionTimeMs = 2_147_483_647;

/** Columns of `node_runs`. */
export const nodeRunColumns: Columns<EncodedNodeRun> = {
  execution_id: ['bigint', ({ run }) => run.executionId],
  seq: ['int', ({ run }) => run.seq],
  node_name: ['text', ({ run }) => run.nodeName],
  run_index: ['int', ({ run }) => run.runIndex],
  failed: ['boolean', ({ run }) => run.failed],
  data: ['bytea', ({ data }) => data],
  start_time: ['bigint', ({ run }) => run.startTime],
  execution_time: ['int', ({ run }) => Math.min(run.executionTime, maxExecutionTimeMs)],
};

const names = Object.keys(nodeRunColumns);

/** The start of a statement that inserts rows `n` with these columns. */
export const insertNodeRuns = `INSERT INTO node_runs (${names.join(', ')})
SELECT ${names.map((name) => `n.${name}`).join(', ')}`;

// The same row again, after a commit whose reply was lost, still counts as written.
const appendStatement = statement({
  name: 'append-node-runs',
  byKey: true,
  parameters: {
    workerId: value<WorkerId>(),
    runs: rows<EncodedNodeRun>('n', { attempt: ['int', ({ run }) => run.attempt], ...nodeRunColumns }),
  },
  text: ({ workerId, runs }) => `
${insertNodeRuns} FROM ${runs}
JOIN executions e ON e.id = n.execution_id AND e.attempt = n.attempt AND CASE e.status WHEN 'running' THEN e.worker_id = ${workerId} END
ON CONFLICT (execution_id, seq) DO UPDATE SET seq = excluded.seq
RETURNING execution_id`,
});

/** One statement for all batches; returns whether each batch was stored. */
export async function appendNodeRuns(db: Database, workerId: WorkerId, batches: (readonly NewNodeRun[])[]): Promise<boolean[]> {
  const runs = await encodeNodeRuns(batches.flat());
  const stored = await db.query<{ execution_id: ExecutionId }>(appendStatement({ workerId, runs }));
  const ours = new Set(stored.map((row) => row.execution_id));
  return batches.map((batch) => batch.every((run) => ours.has(run.executionId)));
}

export function encodeNodeRuns(runs: readonly NewNodeRun[]): Promise<EncodedNodeRun[]> {
  return Promise.all(runs.map(async (run) => ({ run, data: await packText(run.json) })));
}
