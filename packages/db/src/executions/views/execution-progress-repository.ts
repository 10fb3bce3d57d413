import type { ErrorRecord, ExecutionId, ExecutionStatus, NodeRun } from '@sluice/domain';
import type { Database } from '../../connection/database.ts';
import { unpackJson } from '../../json/codec.ts';

export interface ExecutionProgress {
  id: ExecutionId;
  status: ExecutionStatus;
  startedAt: Date | null;
  stoppedAt: Date | null;
  error: ErrorRecord | null;
}

/** A node run that has ended, without its output. */
export interface FinishedNodeRun {
  seq: number;
  nodeName: string;
  runIndex: number;
  executionStatus: NodeRun['executionStatus'];
  /**
   * Start time in milliseconds since the epoch, and duration in milliseconds; null: recorded by a
   * version that did not store them separately.
   */
  startTime: number | null;
  executionTime: number | null;
  error?: ErrorRecord;
}

interface FinishedRow {
  seq: number;
  node_name: string;
  run_index: number;
  start_time: string | null;
  execution_time: number | null;
  failed: boolean;
  data: Buffer | null;
}

const progressText = `SELECT id, status, started_at AS "startedAt", stopped_at AS "stoppedAt", error
FROM executions WHERE id = ANY ($1::bigint[])`;

// A failed run has an error and no items, so it is small. The data of other runs is not read.
const finishedText = `SELECT seq, node_name, run_index, start_time, execution_time, failed, CASE WHEN failed THEN data END AS data
FROM node_runs WHERE execution_id = $1 AND seq >= $2 ORDER BY seq LIMIT $3`;

/** Reads for event streams, by execution id: the caller checks access to the execution first. */
export class ExecutionProgressRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** In the order of the ids; `undefined` for executions that do not exist. */
  async read(ids: readonly ExecutionId[]): Promise<(ExecutionProgress | undefined)[]> {
    const statement = { name: 'read-progress', text: progressText, values: [[...new Set(ids)]] };
    const rows = await this.#db.query<ExecutionProgress>(statement);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  }

  /**
   * Node runs from `seq` on, in the order in which they ended. A number may be missing briefly
   * while its write is in flight.
   */
  async listFinished(id: ExecutionId, seq: number, limit: number): Promise<FinishedNodeRun[]> {
    const statement = { name: 'list-finished-node-runs', text: finishedText, values: [id, seq, limit] };
    return Promise.all((await this.#db.query<FinishedRow>(statement)).map(toFinished));
  }
}

async function toFinished(row: FinishedRow): Promise<FinishedNodeRun> {
  const error = row.data ? (await unpackJson<NodeRun>(row.data)).error : undefined;
  return {
    seq: row.seq,
    nodeName: row.node_name,
    runIndex: row.run_index,
    executionStatus: row.failed ? 'error' : 'success',
    startTime: row.start_time === null ? null : Number(row.start_time),
    executionTime: row.execution_time,
    ...(error && { error }),
  };
}
