import type { DueTick, ScheduleState, TickDecision } from '@sluice/db';
import { errorMessage, type SkipReason } from '@sluice/domain';
import { lastTick, nextTick } from '@sluice/schedule';

interface DecideOptions {
  /** Time zone of schedules without their own. */
  timezone: string;
  /** Projects with a full queue. */
  fullProjects: readonly string[];
}

/** How often a queued tick checks whether the previous execution has ended, in milliseconds. */
const queuedMs = 500;
const firstPauseMs = 1_000;
const longestPauseMs = 3_600_000;

/**
 * Decides by the policies of a due schedule whether to start an execution. A next time that cannot
 * be computed is a failure, retried after increasing pauses.
 */
export async function decideTick(due: DueTick, options: DecideOptions): Promise<TickDecision> {
  try {
    return await decisionOn(due, options);
  } catch (error) {
    return failedTick(due, error);
  }
}

/** The schedule stays due, and is retried later. */
export function failedTick({ tick, now, state, failures }: DueTick, error: unknown): TickDecision {
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failures);
  return { nextAt: tick, retryAt: now + pauseMs, state, error: errorMessage(error) };
}

async function decisionOn(due: DueTick, { timezone, fullProjects }: DecideOptions): Promise<TickDecision> {
  const { spec, state, since, tick, now } = due;
  const zone = spec.timezone ?? timezone;
  const nextAfter = async (after: number) => (await nextTick(spec.rules, zone, { since, after })) ?? null;
  const isMissed = now - tick > spec.graceMs && !state.queueing;
  if (isMissed && spec.misfire === 'skip') return skipped(due, await nextAfter(now), 'missed');
  const at = isMissed ? await lastTick(spec.rules, zone, { since, from: tick, until: now }) : tick;
  const nextAt = await nextAfter(at);
  if (fullProjects.includes(due.projectId)) return skipped(due, nextAt, 'queueFull');
  if (due.busy && spec.overlap === 'skip') return skipped(due, nextAt, 'overlap');
  if (due.busy && spec.overlap === 'queue') return queued(due, at);
  return { nextAt, state: withoutQueue(state, nextAt !== null && nextAt <= now), start: startOf(due, at) };
}

function startOf({ nodeName }: DueTick, at: number): TickDecision['start'] {
  return { trigger: { node: nodeName, items: [{ json: { timestamp: new Date(at).toISOString() } }] } };
}

function skipped({ tick, state }: DueTick, nextAt: number | null, reason: SkipReason): TickDecision {
  const lastSkip = { at: new Date(tick).toISOString(), reason };
  return { nextAt, state: { ...withoutQueue(state, false), lastSkip } };
}

/**
 * This tick and later ones remain due: they are late for this reason, not because no worker was
 * running.
 */
function queued({ state, now }: DueTick, at: number): TickDecision {
  return { nextAt: at, retryAt: now + queuedMs, state: { ...state, queueing: true } };
}

/** @param overdue whether the next tick is already due. */
function withoutQueue({ queueing, ...rest }: ScheduleState, overdue: boolean): ScheduleState {
  return queueing && overdue ? { ...rest, queueing } : rest;
}
