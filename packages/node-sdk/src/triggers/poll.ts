import { type Item, isJsonObject, type JsonObject, type JsonValue, type ScheduleRule } from '@sluice/domain';
import type { NodeProperty } from '../description.ts';
import type { SourceContext } from './source.ts';
import { triggerTimeRule, triggerTimesProperty } from './trigger-times.ts';

/**
 * Result of a poll: items for the first output, or a list per output. `null` or no items: nothing
 * new.
 */
export type PollResult = readonly Item[] | readonly (readonly Item[] | null)[] | null;

/** The result as a list per output. */
export function pollOutputs(result: PollResult | undefined): readonly (readonly Item[] | null)[] {
  if (result === null || result === undefined) return [];
  const isByOutput = Array.isArray(result) && result.length > 0 && result.every((one) => one === null || Array.isArray(one));
  return isByOutput ? (result as readonly (readonly Item[] | null)[]) : [result as readonly Item[]];
}

/** The context of a poll: one per call, invalid after it. */
export interface PollContext extends SourceContext {
  /**
   * `manual`: a user runs the node to see its output. The cursor is `undefined`, and stored data is
   * discarded.
   */
  readonly mode: 'trigger' | 'manual';
  /**
   * Fires when the poll takes too long or the workflow is deactivated. Pass it to every operation
   * that waits.
   */
  readonly signal: AbortSignal;
  /**
   * Sets the next poll's cursor. It is stored in the transaction that starts the execution, so each
   * item is in exactly one execution. Discarded if the poll throws. At most 1 MB of JSON; keep it
   * small.
   */
  saveCursor(next: JsonObject): void;
}

/** The poll interval: a property of each type with a `poll`. */
export const pollTimesProperty: NodeProperty = triggerTimesProperty({
  name: 'pollTimes',
  displayName: 'Poll Times',
  default: { item: [{ mode: 'everyMinute' }] },
  description: 'When to look for what is new, by the clock of the workflow; default: every minute',
});

/** The rules of `pollTimes`; every minute if no rule is set. Throws `NodeOperationError`. */
export function pollRules(pollTimes: JsonValue | undefined): ScheduleRule[] {
  const item = isJsonObject(pollTimes) ? pollTimes['item'] : undefined;
  const entries = item === undefined || item === null ? [] : [item].flat();
  const rules = entries.map((entry) => triggerTimeRule(isJsonObject(entry) ? entry : {}));
  return rules.length > 0 ? rules : [{ every: 'minutes', count: 1 }];
}
