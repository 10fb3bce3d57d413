import { type ExecuteContext, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { choiceParameter, numberParameter, unsupported } from '../../shared/parameters.ts';
import { pause } from '../../shared/pause.ts';
import { passedItem } from '../../shared/per-item.ts';

/** A wait holds its worker's slot and dies with the process, so it may only be short. */
const maxWaitMs = 65_000;

const unitMs = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
const units = ['seconds', 'minutes', 'hours', 'days'] as const;

/** Waits in memory, then passes its items on. Longer waits, and those for a time or a call, are refused rather than lost. */
export const wait: NodeType = {
  description: {
    displayName: 'Wait',
    name: 'wait',
    group: ['transform'],
    version: [1, 1.1],
    description: 'Waits before the workflow goes on; up to 65 seconds',
    defaults: { name: 'Wait' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [
      {
        displayName: 'Resume',
        name: 'resume',
        type: 'options',
        default: 'timeInterval',
        options: [
          { name: 'After Time Interval', value: 'timeInterval' },
          { name: 'At Specified Time', value: 'specificTime', description: 'Not supported yet' },
          { name: 'On Webhook Call', value: 'webhook', description: 'Not supported yet' },
          { name: 'On Form Submitted', value: 'form', description: 'Not supported yet' },
        ],
      },
      {
        displayName: 'Wait Amount',
        name: 'amount',
        type: 'number',
        default: 1,
        displayOptions: { show: { resume: ['timeInterval'], '@version': [1] } },
      },
      {
        displayName: 'Wait Amount',
        name: 'amount',
        type: 'number',
        default: 5,
        displayOptions: { show: { resume: ['timeInterval'], '@version': [1.1] } },
      },
      unitProperty('hours', 1),
      unitProperty('seconds', 1.1),
    ],
    icon: 'fa:pause-circle',
    iconColor: 'red',
  },
  async execute(context) {
    await pause(waitMs(context), context.signal);
    return [context.items().map((item, itemIndex) => passedItem(item, itemIndex))];
  },
};

function unitProperty(unit: (typeof units)[number], version: number) {
  return {
    displayName: 'Wait Unit',
    name: 'unit',
    type: 'options' as const,
    default: unit,
    displayOptions: { show: { resume: ['timeInterval'], '@version': [version] } },
    options: units.map((value) => ({ name: `${value.charAt(0).toUpperCase()}${value.slice(1)}`, value })),
  };
}

function waitMs(context: ExecuteContext): number {
  const resume = choiceParameter(context, 'resume', 0, ['timeInterval', 'specificTime', 'webhook', 'form'], 'timeInterval');
  if (resume !== 'timeInterval')
    throw unsupported(`waiting with resume "${resume}"`, 'Use a time interval of up to 65 seconds');
  const isFirst = context.typeVersion < 1.1;
  const amount = numberParameter(context, 'amount', 0, isFirst ? 1 : 5);
  const unit = choiceParameter(context, 'unit', 0, units, isFirst ? 'hours' : 'seconds');
  if (amount < 0) throw new NodeOperationError('the parameter "amount" has to be 0 or more');
  if (amount * unitMs[unit] <= maxWaitMs) return amount * unitMs[unit];
  throw unsupported(
    `a wait of ${amount} ${unit}`,
    'Waits are held in memory, up to 65 seconds; longer ones come with durable waits',
  );
}
