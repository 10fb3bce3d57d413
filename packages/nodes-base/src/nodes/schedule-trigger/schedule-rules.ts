import { type JsonObject, type JsonValue, NodeOperationError, type ScheduleRule } from '@sluice/node-sdk';
import { describeValue, listParameter, type ParameterSource } from '../../shared/parameters.ts';
import { countIn, cronIn, timeIn, wholeIn } from '../../shared/schedule/schedule-spec.ts';

/** The entries of `rule`; without entries, the node fires daily at midnight. */
export function scheduleRules(context: ParameterSource): ScheduleRule[] {
  const entries = context.parameter<JsonValue>('rule.interval', 0) === undefined ? [{}] : undefined;
  return (entries ?? listParameter(context, 'rule.interval', 0)).map(toRule);
}

const at = { hour: 'triggerAtHour', minute: 'triggerAtMinute' };

function toRule(entry: JsonObject): ScheduleRule {
  const field = entry['field'] ?? 'days';
  switch (field) {
    case 'seconds':
      return { every: field, count: countIn(entry, 'secondsInterval', 30) };
    case 'minutes':
      return { every: field, count: countIn(entry, 'minutesInterval', 5) };
    case 'hours':
      return { every: field, count: countIn(entry, 'hoursInterval', 1), minute: timeIn(entry, at).minute };
    case 'days':
      return { every: field, count: countIn(entry, 'daysInterval', 1), ...timeIn(entry, at) };
    case 'weeks':
      return { every: field, count: countIn(entry, 'weeksInterval', 1), weekdays: weekdaysIn(entry), ...timeIn(entry, at) };
    case 'months': {
      const day = wholeIn(entry, 'triggerAtDayOfMonth', { from: 1, to: 31, fallback: 1 });
      return { every: field, count: countIn(entry, 'monthsInterval', 1), day, ...timeIn(entry, at) };
    }
    case 'cronExpression':
      return cronIn(entry, 'expression');
    default:
      throw new NodeOperationError(`"field" must be a known interval, but is ${describeValue(field)}`, {
        description: 'Choose seconds, minutes, hours, days, weeks, months, or a cron expression',
      });
  }
}

/** Default: Sunday. */
function weekdaysIn(entry: JsonObject): number[] {
  const days = [entry['triggerAtDay'] ?? 0].flat();
  const list = days.length === 0 ? [0] : days;
  return [...new Set(list.map((day) => wholeIn({ triggerAtDay: day }, 'triggerAtDay', { from: 0, to: 6, fallback: 0 })))];
}
