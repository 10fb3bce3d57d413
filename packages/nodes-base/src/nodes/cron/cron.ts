import { type JsonObject, NodeOperationError, type NodeType, type ScheduleRule } from '@sluice/node-sdk';
import { describeValue, listParameter } from '../../shared/parameters.ts';
import { choice, choices, list, number, text, where } from '../../shared/properties.ts';
import { countIn, cronIn, overlapChoices, scheduleSpec, timeIn, wholeIn } from '../../shared/schedule/schedule-spec.ts';

/** The older form of the schedule trigger. */
export const cron: NodeType = {
  description: {
    displayName: 'Cron',
    name: 'cron',
    group: ['trigger', 'schedule'],
    version: 1,
    description:
      'Starts the active workflow at certain times by the clock of its time zone. The schedule trigger has taken its place',
    defaults: { name: 'Cron' },
    inputs: [],
    outputs: ['main'],
    properties: [
      list('triggerTimes', 'Trigger Times', 'item', [
        choice(
          'mode',
          'Mode',
          choices(
            ['everyMinute', 'Every Minute'],
            ['everyHour', 'Every Hour'],
            ['everyDay', 'Every Day'],
            ['everyWeek', 'Every Week'],
            ['everyMonth', 'Every Month'],
            ['everyX', 'Every X'],
            ['custom', 'Custom'],
          ),
          { default: 'everyDay' },
        ),
        number('hour', 'Hour', 14, '0 to 23', where({ mode: ['everyDay', 'everyWeek', 'everyMonth'] })),
        number('minute', 'Minute', 0, '0 to 59', where({ mode: ['everyHour', 'everyDay', 'everyWeek', 'everyMonth'] })),
        number('dayOfMonth', 'Day of Month', 1, '1 to 31; a shorter month means its last day', where({ mode: ['everyMonth'] })),
        choice(
          'weekday',
          'Weekday',
          choices(
            ['1', 'Monday'],
            ['2', 'Tuesday'],
            ['3', 'Wednesday'],
            ['4', 'Thursday'],
            ['5', 'Friday'],
            ['6', 'Saturday'],
            ['0', 'Sunday'],
          ),
          where({ mode: ['everyWeek'] }),
        ),
        text('cronExpression', 'Cron Expression', 'Five fields, or six with seconds first', {
          default: '* * * * * *',
          ...where({ mode: ['custom'] }),
        }),
        number('value', 'Value', 2, 'How many units lie between two ticks', where({ mode: ['everyX'] })),
        choice('unit', 'Unit', choices(['minutes', 'Minutes'], ['hours', 'Hours']), {
          default: 'hours',
          ...where({ mode: ['everyX'] }),
        }),
      ]),
      choice('overlapPolicy', 'Overlap', overlapChoices, {
        description: 'What becomes of a tick while the execution that this node has started before has not ended',
      }),
    ],
    icon: 'fa:calendar',
    iconColor: 'green',
  },
  triggers: (context) => scheduleSpec(context, listParameter(context, 'triggerTimes.item', 0).map(toRule)),
  execute: () => [[{ json: {} }]],
};

const at = { hour: 'hour', minute: 'minute' };
const afternoon = { hour: 14, minute: 0 };

function toRule(entry: JsonObject): ScheduleRule {
  const mode = entry['mode'] ?? 'everyDay';
  const time = timeIn(entry, at, afternoon);
  switch (mode) {
    case 'everyMinute':
      return { every: 'minutes', count: 1 };
    case 'everyHour':
      return { every: 'hours', count: 1, minute: time.minute };
    case 'everyDay':
      return { every: 'days', count: 1, ...time };
    case 'everyWeek':
      return { every: 'weeks', count: 1, weekdays: [wholeIn(entry, 'weekday', { from: 0, to: 7, fallback: 1 }) % 7], ...time };
    case 'everyMonth':
      return { every: 'months', count: 1, day: wholeIn(entry, 'dayOfMonth', { from: 1, to: 31, fallback: 1 }), ...time };
    case 'everyX':
      return everyX(countIn(entry, 'value', 2), entry['unit'] === 'minutes');
    case 'custom':
      return cronIn({ cronExpression: '* * * * * *', ...entry }, 'cronExpression');
    default:
      throw new NodeOperationError(`"mode" has to be one that is known, and is ${describeValue(mode)}`);
  }
}

function everyX(count: number, minutes: boolean): ScheduleRule {
  return minutes ? { every: 'minutes', count } : { every: 'hours', count, minute: 0 };
}
