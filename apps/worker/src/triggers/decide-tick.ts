import type { DueTick, ScheduleState, TickVerdict } from '@sluice/db';
import { errorMessage, type SkipReason } from '@sluice/domain';
import { lastTick, nextTick } from '@sluice/schedule';

export interface JudgeOptions {
  /** Time zone of schedules without their own. */
  timezone: string;
  /** Projects with a full queue. */
  fullProjects: readonly string[];
}

/** How often a held tick checks whether the previous execution has ended, in milliseconds. */
const holdMs = 500;
const firstPauseMs = 1_000;
const longestPauseMs = 3_600_000;

/**
 * Decides on a due schedule by its policies: start an execution, or none. If the next time cannot
 * be computed, that is a failure, retried after increasing pauses.
 */
export function judgeTick(due: DueTick, options: JudgeOptions): TickVerdict {
  try {
    return judged(due, options);
  } catch (error) {
    return failedTick(due, error);
  }
}

/** The schedule stays due, and is retried later. */
export function failedTick({ tick, now, state, failures }: DueTick, error: unknown): TickVerdict {
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failures);
  return { nextAt: tick, retryAt: now + pauseMs, state, error: errorMessage(error) };
}

function judged(due: DueTick, { timezone, fullProjects }: JudgeOptions): TickVerdict {
  const { spec, state, since, tick, now } = due;
  const zone = spec.timezone ?? timezone;
  const nextAfter = (after: number) => nextTick(spec.rules, zone, { since, after }) ?? null;
  const isMissed = now - tick > spec.graceMs && !state.queueing;
  if (isMissed && spec.misfire === 'skip') return skipped(due, nextAfter(now), 'missed');
  const at = isMissed ? lastTick(spec.rules, zone, { since, from: tick, until: now }) : tick;
  const nextAt = nextAfter(at);
  if (fullProjects.includes(due.projectId)) return skipped(due, nextAt, 'queueFull');
  if (due.busy && spec.overlap === 'skip') return skipped(due, nextAt, 'overlap');
  if (due.busy && spec.overlap === 'queue') return held(due, at);
  return { nextAt, state: withoutQueue(state, nextAt !== null && nextAt <= now), start: startOf(due, at) };
}

function startOf({ nodeName }: DueTick, at: number): TickVerdict['start'] {
  return { trigger: { node: nodeName, items: [{ json: { timestamp: new Date(at).toISOString() } }] } };
}

function skipped({ tick, state }: DueTick, nextAt: number | null, reason: SkipReason): TickVerdict {
  const lastSkip = { at: new Date(tick).toISOString(), reason };
  return { nextAt, state: { ...withoutQueue(state, false), lastSkip } };
}

/**
 * The tick stays due, and so do later ones: they are late for this reason, not because no worker
 * was running.
 */
function held({ state, now }: DueTick, at: number): TickVerdict {
  return { nextAt: at, retryAt: now + holdMs, state: { ...state, queueing: true } };
}

/** @param behind whether the next one is already due. */
function withoutQueue({ queueing, ...rest }: ScheduleState, behind: boolean): ScheduleState {
  return queueing && behind ? { ...rest, queueing } : rest;
}
