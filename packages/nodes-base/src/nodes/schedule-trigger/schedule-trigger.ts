import type { ExecuteContext, NodeProperty, NodeType, TriggerContext } from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';
import { choiceParameter, numberParameter } from '../../shared/parameters.ts';
import { atLeast, between, choice, choices, list, number, text, toggle, when, where } from '../../shared/properties.ts';
import { overlapChoices, scheduleSpec } from '../../shared/schedule/schedule-spec.ts';
import { scheduleRules } from './schedule-rules.ts';
import { tickItem } from './tick-item.ts';

const withMisfire = [1.4];

const timed = ['days', 'weeks', 'months'];

const ruleFields: NodeProperty[] = [
  choice(
    'field',
    'Trigger Interval',
    choices(
      ['seconds', 'Seconds'],
      ['minutes', 'Minutes'],
      ['hours', 'Hours'],
      ['days', 'Days'],
      ['weeks', 'Weeks'],
      ['months', 'Months'],
      ['cronExpression', 'Custom (Cron)'],
    ),
    { default: 'days' },
  ),
  atLeast(
    1,
    number(
      'secondsInterval',
      'Seconds Between Triggers',
      30,
      'On the clock: 30 means :00 and :30',
      where({ field: ['seconds'] }),
    ),
  ),
  atLeast(
    1,
    number(
      'minutesInterval',
      'Minutes Between Triggers',
      5,
      'On the clock: 15 means :00, :15, :30, :45',
      where({ field: ['minutes'] }),
    ),
  ),
  atLeast(
    1,
    number('hoursInterval', 'Hours Between Triggers', 1, 'More than one: counted from the first', where({ field: ['hours'] })),
  ),
  atLeast(
    1,
    number('daysInterval', 'Days Between Triggers', 1, 'More than one: counted from the first', where({ field: ['days'] })),
  ),
  atLeast(
    1,
    number('weeksInterval', 'Weeks Between Triggers', 1, 'More than one: counted from the first', where({ field: ['weeks'] })),
  ),
  atLeast(
    1,
    number(
      'monthsInterval',
      'Months Between Triggers',
      1,
      'More than one: counted from the first',
      where({ field: ['months'] }),
    ),
  ),
  between(
    1,
    31,
    number(
      'triggerAtDayOfMonth',
      'Trigger at Day of Month',
      1,
      '1 to 31; in a shorter month, its last day',
      where({ field: ['months'] }),
    ),
  ),
  {
    displayName: 'Trigger on Weekdays',
    name: 'triggerAtDay',
    type: 'multiOptions',
    default: [0],
    options: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map((name, value) => ({
      name,
      value,
    })),
    ...where({ field: ['weeks'] }),
  },
  between(
    0,
    23,
    number('triggerAtHour', 'Trigger at Hour', 0, '0 to 23, in the workflow’s time zone', where({ field: timed })),
  ),
  between(0, 59, number('triggerAtMinute', 'Trigger at Minute', 0, '0 to 59', where({ field: ['hours', ...timed] }))),
  text(
    'expression',
    'Expression',
    'Minute, hour, day of month, month, day of week; with six fields, the first is seconds',
    where({ field: ['cronExpression'] }),
  ),
];

/** Starts the workflow on a schedule. */
export const scheduleTrigger: NodeType = {
  description: {
    displayName: 'Schedule Trigger',
    name: 'schedule-trigger',
    group: ['trigger', 'schedule'],
    version: [1, 1.1, 1.2, 1.3, 1.4],
    description:
      'Starts the active workflow at set times in its time zone (setting `timezone`). A local time that daylight saving skips runs at the end of the gap; one that occurs twice runs once. A manual run outputs the current time',
    defaults: { name: 'Schedule Trigger' },
    inputs: [],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      list('rule', 'Trigger Rules', 'interval', ruleFields, { default: { interval: [{ field: 'days' }] } }),
      choice(
        'misfirePolicy',
        'Missed Ticks',
        choices(
          ['skip', 'Skip', 'They are skipped'],
          ['coalesce', 'Run Once', 'One execution for all missed ticks'],
          ['coalesce_owner', 'Run Once (Owner)', 'The same'],
        ),
        { ...when(withMisfire), description: 'What to do with ticks missed while no worker was available' },
      ),
      atLeast(
        0,
        number(
          'misfireGraceSeconds',
          'Grace Period (Seconds)',
          0,
          'How late a tick may be before it is considered missed; 0 means 60 seconds',
          when(withMisfire),
        ),
      ),
      choice('overlapPolicy', 'Overlap', overlapChoices, {
        description: 'What to do with a tick while the previous execution of this node is running',
      }),
      toggle('skipDurableScheduler', 'Skip Durable Scheduler', 'Whether to keep the schedule in memory; has no effect here'),
    ],
    icon: 'fa:clock',
    iconColor: 'green',
  },
  triggers: (context) => scheduleSpec(context, scheduleRules(context), misfireOf(context)),
  execute: (context) => [[tickItem(tickOf(context), context.workflow.timezone)]],
};

function misfireOf(context: TriggerContext): Parameters<typeof scheduleSpec>[2] {
  if (context.typeVersion < 1.4) return {};
  const graceMs = numberParameter(context, 'misfireGraceSeconds', 0, 0) * 1000;
  const policies = ['skip', 'coalesce', 'coalesce_owner', 'unset'] as const;
  const policy = choiceParameter(context, 'misfirePolicy', 0, policies, 'unset');
  return {
    misfire: policy === 'unset' ? undefined : policy === 'skip' ? 'skip' : 'once',
    graceMs: graceMs > 0 ? graceMs : undefined,
  };
}

/** The tick that started the execution; in a manual run, the current time. */
function tickOf(context: ExecuteContext): Date {
  const tick = new Date(stringOf(context.items()[0]?.json['timestamp']));
  return Number.isNaN(tick.getTime()) ? new Date() : tick;
}
