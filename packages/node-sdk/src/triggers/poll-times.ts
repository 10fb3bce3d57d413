import { isJsonObject, type JsonValue, type ScheduleRule } from '@sluice/domain';
import type { NodeProperty } from '../description.ts';
import { triggerTimeRule, triggerTimesProperty } from './trigger-times.ts';

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
