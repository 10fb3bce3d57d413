import type { ErrorCode, ErrorRecord, ExecutionId, WorkerId } from '@sluice/domain';
import { sql, type Transaction } from 'kysely';
import { type ClaimRow, claimChanges, claimedColumns, remainingMs } from '../executions/attempts/claim-executions.ts';
import { compiled } from '../statements/compiled.ts';
import { keyed, rows, statement, value } from '../statements/statement.ts';
import type { Tables } from '../tables/tables.ts';
import type { LimitDecision } from './fit.ts';
import type { LimitedExecution, LimitedState, LimitState } from './limit-state.ts';

/** An execution, locked, with its decision. */
export interface DecidedExecution {
  execution: LimitedExecution;
  decision: LimitDecision;
}

interface Marked {
  executionId: ExecutionId;
  limitIds: readonly number[];
}

const markedRows = rows<Marked>('c', {
  id: ['bigint', ({ executionId }) => executionId],
  // Rows of an array cannot have different lengths.
  limits: ['text', ({ limitIds }) => (limitIds.length > 0 ? `{${limitIds.join(',')}}` : null)],
});

const claimStatement = statement({
  name: 'claim-limited-executions',
  parameters: { claims: markedRows, workerId: value<WorkerId>(), at: value<string>('timestamptz') },
  text: ({ claims, workerId, at }) => `
WITH claimed AS (
  UPDATE executions e SET ${claimChanges(workerId, at)}, limit_ids = c.limits::integer[] FROM ${claims} WHERE e.id = c.id
  RETURNING e.*
)
SELECT true AS live, ${claimedColumns} FROM claimed LEFT JOIN ${keyed('execution_inputs', 'execution_id = claimed.id')} i ON true`,
});

// The clock of a time-limited run is stopped in the meantime; an execution that has not started
// yet, or is retried, has its full time limit at the claim.
const blockStatement = statement({
  name: 'block-executions',
  parameters: { blocked: markedRows },
  text: ({ blocked }) => `
UPDATE executions e SET queued_at = 'infinity', limit_ids = c.limits::integer[], deadline_at = NULL,
  timeout_ms = CASE WHEN e.attempt > 1 AND e.deadline_at IS NOT NULL
    THEN ${remainingMs('e.deadline_at', 1)} ELSE e.timeout_ms END
FROM ${blocked} WHERE e.id = c.id`,
});

const unblockStatement = statement({
  name: 'unblock-executions',
  parameters: { unblocked: markedRows },
  text: ({ unblocked }) =>
    `UPDATE executions e SET queued_at = now(), limit_ids = c.limits::integer[] FROM ${unblocked} WHERE e.id = c.id`,
});

/** Writes all decisions; resolves to the rows of the claimed executions. */
export async function writeDecisions(
  tx: Transaction<Tables>,
  decided: readonly DecidedExecution[],
  { at, limits }: LimitedState,
  workerId: WorkerId,
): Promise<ClaimRow[]> {
  const marked = (kind: LimitDecision['kind']) =>
    decided.filter(({ decision }) => decision.kind === kind).map(({ execution, decision }) => mark(execution, decision));
  const [blocked, unblocked, claims] = [marked('blocked'), marked('unblocked'), marked('claimed')];
  if (blocked.length > 0) await tx.executeQuery(compiled(blockStatement({ blocked })));
  if (unblocked.length > 0) await tx.executeQuery(compiled(unblockStatement({ unblocked })));
  for (const { execution, decision } of decided) if (decision.kind === 'skipped') await skip(tx, execution, decision.limit);
  if (claims.length === 0) return [];
  const started = decided.filter(({ execution, decision }) => decision.kind === 'claimed' && execution.workerId === null);
  await noteStarts(tx, started, limits, at);
  return (await tx.executeQuery(compiled<ClaimRow>(claimStatement({ claims, workerId, at })))).rows;
}

function mark({ executionId }: LimitedExecution, decision: LimitDecision): Marked {
  return { executionId, limitIds: 'limit' in decision ? [decision.limit.id] : decision.limitIds };
}

async function skip(tx: Transaction<Tables>, { executionId }: LimitedExecution, { maxRunning }: LimitState): Promise<void> {
  await tx
    .updateTable('executions')
    .set({ status: 'canceled', stopped_at: sql`clock_timestamp()`, error: JSON.stringify(skippedError(maxRunning)) })
    .where('id', '=', executionId)
    .execute();
}

/** Adds the starts to the per-second limits that apply to them. */
async function noteStarts(
  tx: Transaction<Tables>,
  started: readonly DecidedExecution[],
  limits: ReadonlyMap<number, LimitState>,
  at: string,
): Promise<void> {
  for (const { id, perSecond } of limits.values()) {
    const count = started.filter(({ execution }) => execution.limitIds.includes(id)).length;
    if (perSecond === null || count === 0) continue;
    await sql`UPDATE execution_limits SET starts = array_fill(${at}::timestamptz, ARRAY[${count}::integer]) || ARRAY(
      SELECT s FROM unnest(starts) AS s WHERE s > ${at}::timestamptz - interval '1 second' AND s <= ${at}::timestamptz)
      WHERE id = ${id}`.execute(tx);
  }
}

function skippedError(maxRunning: number | null): ErrorRecord & { code: ErrorCode } {
  const running = maxRunning === 1 ? '1 execution' : `${maxRunning} executions`;
  return {
    name: 'ConcurrencyLimitError',
    code: 'CONCURRENCY_LIMIT',
    message: `skipped: the workflow was running ${running}, as many as its setting "concurrency" allows`,
    description: 'Raise settings.concurrency.limit of the workflow, or set whenFull to "queue" so that executions wait.',
  };
}
