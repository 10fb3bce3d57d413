import type { WorkerId } from '@sluice/domain';
import type { LimitedExecution, LimitedState, LimitState } from './limit-state.ts';

/** The decision about an execution to which limits apply. */
export type LimitDecision =
  | { kind: 'claimed' | 'unblocked'; limitIds: readonly number[] }
  | { kind: 'blocked' | 'skipped'; limit: LimitState };

/**
 * Decides which of the executions a worker may run now, the oldest first. An execution that has not
 * been unblocked does not overtake blocked ones. `undefined`: another worker runs it or should run
 * it, or a limit already blocks it. Counts its decisions in the limits of `state`.
 */
export function fitClaims({ executions, limits }: LimitedState, workerId: WorkerId): (LimitDecision | undefined)[] {
  return executions.map((execution) => {
    if (execution.workerId === workerId) return { kind: 'claimed', limitIds: execution.limitIds };
    if (execution.workerId !== null || execution.blockedBy !== null || execution.isForOthers) return undefined;
    const applicable = limitsOf(execution, limits);
    const full = applicable.find((limit) => !mayStart(limit, execution));
    if (!full) return claim(execution, applicable);
    releaseUnblocked(execution, limits);
    if (skips(full, execution)) return { kind: 'skipped', limit: full };
    full.isBlocking = true;
    return { kind: 'blocked', limit: full };
  });
}

/**
 * Decides which of the blocked executions may be enqueued now, the oldest first. `undefined`: it
 * remains blocked by the same limit, or is not blocked. Counts its decisions in the limits of
 * `state`.
 */
export function fitBlocked({ executions, limits }: LimitedState): (LimitDecision | undefined)[] {
  return executions.map((execution) => {
    if (execution.blockedBy === null) return undefined;
    const applicable = limitsOf(execution, limits);
    const full = applicable.find((limit) => !hasCapacity(limit));
    if (!full) return unblock(execution, applicable);
    if (full.id === execution.blockedBy) return undefined;
    return { kind: skips(full, execution) ? 'skipped' : 'blocked', limit: full };
  });
}

function limitsOf({ limitIds }: LimitedExecution, limits: ReadonlyMap<number, LimitState>): LimitState[] {
  return limitIds.flatMap((id) => limits.get(id) ?? []);
}

/** Whether a limit has capacity left besides the executions that it has unblocked. */
function hasCapacity({ maxRunning, perSecond, running, unblocked, recent }: LimitState): boolean {
  if (maxRunning !== null && running + unblocked >= maxRunning) return false;
  return perSecond === null || recent + unblocked < perSecond;
}

function mayStart(limit: LimitState, { countsFor }: LimitedExecution): boolean {
  const isExpected = countsFor.includes(limit.id);
  return isExpected ? hasCapacity({ ...limit, unblocked: 0 }) : !limit.isBlocking && hasCapacity(limit);
}

/**
 * An execution that ran before it waited or was handed back, or that was unblocked, is never
 * skipped.
 */
function skips({ id, whenFull }: LimitState, { hasStarted, countsFor }: LimitedExecution): boolean {
  return whenFull === 'skip' && !hasStarted && !countsFor.includes(id);
}

function claim(execution: LimitedExecution, applicable: readonly LimitState[]): LimitDecision {
  for (const limit of applicable) {
    limit.running += 1;
    limit.recent += 1;
    if (execution.countsFor.includes(limit.id)) limit.unblocked -= 1;
  }
  return { kind: 'claimed', limitIds: execution.limitIds };
}

/** The limits no longer count the execution as unblocked. */
function releaseUnblocked({ countsFor }: LimitedExecution, limits: ReadonlyMap<number, LimitState>): void {
  for (const id of countsFor) {
    const limit = limits.get(id);
    if (limit) limit.unblocked -= 1;
  }
}

function unblock({ limitIds }: LimitedExecution, applicable: readonly LimitState[]): LimitDecision {
  for (const limit of applicable) limit.unblocked += 1;
  return { kind: 'unblocked', limitIds };
}
