import type { ErrorRecord, ExecutionId, ExecutionStatus, WorkerId } from '@sluice/domain';
import type { Database } from '../../connection/database.ts';
import { rows, statement, value } from '../../statements/statement.ts';
import { sortedById } from '../row/attempt-ref.ts';
import { leastCountedBytes } from '../storage/binary-repository.ts';
import { type EncodedNodeRun, encodeNodeRuns, insertNodeRuns, type NewNodeRun, nodeRunColumns } from './append-node-runs.ts';
import type { Claim } from './claim-executions.ts';

export type FinalStatus = Extract<ExecutionStatus, 'success' | 'error' | 'crashed'>;

export interface Ending extends Claim {
  status: FinalStatus;
  /** The execution that this one retries; a success is linked to it. */
  retryOf: ExecutionId | null;
  error: ErrorRecord | null;
  /**
   * Whether the workflow does not keep it: it is deleted after a grace period in which its result
   * can be read.
   */
  discard?: boolean;
  /** Its last node runs, not stored yet; they are stored together with its end. */
  runs?: readonly NewNodeRun[];
}

interface EncodedEnding {
  ending: Ending;
  runs: EncodedNodeRun[];
}

const parameters = {
  workerId: value<WorkerId>(),
  endings: rows<EncodedEnding>('i', {
    id: ['bigint', ({ ending }) => ending.executionId],
    attempt: ['int', ({ ending }) => ending.attempt],
    status: ['text', ({ ending }) => ending.status],
    error: ['text', ({ ending }) => ending.error && JSON.stringify(ending.error)],
    discard: ['boolean', ({ ending }) => ending.discard ?? false],
    unclaimed_since: ['timestamptz', ({ ending }) => ending.unclaimedSince ?? null],
    bytes: ['bigint', ({ runs }) => runs.reduce((sum, { data }) => sum + data.length, 0)],
  }),
  runs: rows('n', nodeRunColumns),
};

// Computed as in the trigger `count_stored_bytes`; rows that this statement itself appends are not
// visible to it.
const storedBytes = `(
  SELECT coalesce(sum(octet_length(data)), 0) FROM node_runs WHERE execution_id = e.id)
  + (SELECT coalesce(sum(greatest(size, ${leastCountedBytes})), 0)::bigint FROM binary_data WHERE execution_id = e.id)
  + coalesce((SELECT octet_length(data) FROM execution_inputs WHERE execution_id = e.id), 0)`;

// Node runs of ended executions are found by hash: a join would compare each run with each end, and
// `CASE` keeps the planner from making it a join.  The same end again, after a commit whose reply
// was lost, still counts as written and changes nothing.
const endingText = ({ workerId, endings, runs }: Record<keyof typeof parameters, string>) => `
WITH ended AS (
  UPDATE executions e SET status = i.status, stopped_at = coalesce(e.stopped_at, clock_timestamp()),
    worker_id = ${workerId}, started_at = coalesce(e.started_at, i.unclaimed_since),
    error = CASE WHEN e.status IN ('new', 'running') THEN i.error::json ELSE e.error END,
    stored_bytes = CASE WHEN e.status IN ('new', 'running') THEN ${storedBytes} + i.bytes ELSE e.stored_bytes END,
    discard_at = CASE WHEN i.discard THEN coalesce(e.discard_at, clock_timestamp() + interval '10 minutes') END
  FROM ${endings}
  WHERE e.id = i.id AND e.attempt = i.attempt AND CASE WHEN e.status IN ('running', i.status) THEN e.worker_id = ${workerId}
    WHEN e.status = 'new' AND i.unclaimed_since IS NOT NULL THEN e.worker_id IS NULL END
  RETURNING e.id, e.status, e.retry_of
), runs AS (
  ${insertNodeRuns} FROM ${runs} WHERE CASE WHEN n.execution_id IN (SELECT id FROM ended) THEN true END
  ON CONFLICT (execution_id, seq) DO NOTHING
)`;

const finishStatement = statement({
  name: 'finish-executions',
  byKey: true,
  parameters,
  text: (sql) => `${endingText(sql)}
SELECT id FROM ended`,
});

const finishRetriesStatement = statement({
  name: 'finish-retries',
  byKey: true,
  parameters,
  text: (sql) => `${endingText(sql)}, linked AS (
  UPDATE executions original SET retry_success_id = ended.id
  FROM ended WHERE ended.status = 'success' AND original.id = ended.retry_of
)
SELECT id FROM ended`,
});

/** One statement for all ends; returns whether each was stored. */
export async function finishExecutions(db: Database, workerId: WorkerId, all: readonly Ending[]): Promise<boolean[]> {
  const encode = async (ending: Ending) => ({ ending, runs: await encodeNodeRuns(ending.runs ?? []) });
  const endings = await Promise.all(sortedById(all).map(encode));
  const finish = all.some(({ retryOf }) => retryOf !== null) ? finishRetriesStatement : finishStatement;
  const stored = await db.query<{ id: ExecutionId }>(finish({ workerId, endings, runs: endings.flatMap(({ runs }) => runs) }));
  const ended = new Set(stored.map((row) => row.id));
  return all.map(({ executionId }) => ended.has(executionId));
}
