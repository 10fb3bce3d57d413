import type { NodeType, ScheduleRule, TriggerContext } from '@sluice/node-sdk';
import { choiceParameter } from '../../shared/parameters.ts';
import { atLeast, choice, choices, number } from '../../shared/properties.ts';
import { countIn, overlapChoices, scheduleSpec } from '../../shared/schedule/schedule-spec.ts';

const units = ['seconds', 'minutes', 'hours'] as const;

/** The older form of a schedule trigger with one interval. */
export const interval: NodeType = {
  description: {
    displayName: 'Interval',
    name: 'interval',
    deprecated: true,
    group: ['trigger', 'schedule'],
    version: 1,
    description: 'Starts the active workflow at intervals; the predecessor of the schedule trigger',
    defaults: { name: 'Interval' },
    inputs: [],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      atLeast(1, number('interval', 'Interval', 1, 'Number of units between two ticks')),
      choice('unit', 'Unit', choices(['seconds', 'Seconds'], ['minutes', 'Minutes'], ['hours', 'Hours'])),
      choice('overlapPolicy', 'Overlap', overlapChoices, {
        description: 'What to do with a tick while the previous execution of this node is running',
      }),
    ],
    icon: 'fa:hourglass',
    iconColor: 'green',
  },
  triggers: (context) => scheduleSpec(context, [ruleOf(context)]),
  execute: () => [[{ json: {} }]],
};

function ruleOf(context: TriggerContext): ScheduleRule {
  const count = countIn({ interval: context.parameter('interval', 0, 1) }, 'interval', 1);
  const unit = choiceParameter(context, 'unit', 0, units, 'seconds');
  return unit === 'hours' ? { every: unit, count, minute: 0 } : { every: unit, count };
}
