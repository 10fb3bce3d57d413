import type { ExecutionId, WorkerId } from '@sluice/domain';
import type { Database } from '../../connection/database.ts';
import { rows, statement, value } from '../../statements/statement.ts';
import { type AttemptRef, attemptKey, sortedById } from '../row/attempt-ref.ts';
import { remainingMs } from './claim-executions.ts';

/**
 * Maximum number of times that an execution is handed back while it runs, in case it is the reason
 * for the shutdowns, because of its memory for example.
 */
const maxHandBacks = 10;

/** A claim to undo. */
export interface HandBack extends AttemptRef {
  /** Whether the attempt was running already; default: false. */
  wasRunning?: boolean;
}

// `running` is kept: an execution never returns to `new`. In a backlog, the oldest executions of a
// workflow start first. The clock of a time-limited run is stopped until the next claim.
const handBackStatement = statement({
  name: 'hand-back-executions',
  byKey: true,
  parameters: {
    claims: rows<HandBack>('c', {
      id: ['bigint', ({ executionId }) => executionId],
      attempt: ['int', ({ attempt }) => attempt],
      was_running: ['boolean', ({ wasRunning }) => wasRunning ?? false],
    }),
    workerId: value<WorkerId>(),
  },
  text: ({ claims, workerId }) => `
UPDATE executions e SET worker_id = NULL, queued_at = e.created_at, handed_back = e.handed_back + c.was_running::int,
  deadline_at = CASE WHEN NOT c.was_running THEN e.deadline_at END,
  timeout_ms = CASE WHEN c.was_running AND e.deadline_at IS NOT NULL THEN ${remainingMs('e.deadline_at', 1)} ELSE e.timeout_ms END
FROM ${claims}
WHERE e.id = c.id AND e.attempt = c.attempt AND CASE e.status WHEN 'running' THEN e.worker_id = ${workerId} END
  AND (NOT c.was_running OR e.handed_back < ${maxHandBacks})
RETURNING e.id, e.attempt`,
});

/**
 * As in `ExecutionRecorder.handBack`. One statement for all claims; results are in the same order.
 */
export async function handBackExecutions(db: Database, workerId: WorkerId, claims: readonly HandBack[]): Promise<boolean[]> {
  const statement = handBackStatement({ claims: sortedById(claims), workerId });
  const returned = await db.query<{ id: ExecutionId; attempt: number }>(statement);
  const keys = new Set(returned.map(({ id, attempt }) => attemptKey({ executionId: id, attempt })));
  return claims.map((claim) => keys.has(attemptKey(claim)));
}
