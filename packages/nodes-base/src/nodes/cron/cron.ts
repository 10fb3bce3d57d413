import { type NodeType, type ScheduleRule, type TriggerContext, triggerTimeRule, triggerTimesProperty } from '@sluice/node-sdk';
import { listParameter } from '../../shared/parameters.ts';
import { choice } from '../../shared/properties.ts';
import { overlapChoices, scheduleSpec } from '../../shared/schedule/schedule-spec.ts';

/** The older form of the schedule trigger. */
export const cron: NodeType = {
  description: {
    displayName: 'Cron',
    name: 'cron',
    deprecated: true,
    group: ['trigger', 'schedule'],
    version: 1,
    description: 'Starts the active workflow at set times in its time zone; the predecessor of the schedule trigger',
    defaults: { name: 'Cron' },
    inputs: [],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      triggerTimesProperty({ name: 'triggerTimes', displayName: 'Trigger Times' }),
      choice('overlapPolicy', 'Overlap', overlapChoices, {
        description: 'What to do with a tick while the previous execution of this node is running',
      }),
    ],
    icon: 'fa:calendar',
    iconColor: 'green',
  },
  triggers: (context) => scheduleSpec(context, rulesOf(context)),
  execute: () => [[{ json: {} }]],
};

function rulesOf(context: TriggerContext): ScheduleRule[] {
  return listParameter(context, 'triggerTimes.item', 0).map(triggerTimeRule);
}
