import type { NodeType } from '@sluice/node-sdk';
import { passedItem } from '../../shared/per-item.ts';
import { choice, choices, list, number, options, text, toggle, when, where } from '../../shared/properties.ts';
import { callMethods } from '../../shared/webhook-calls.ts';
import { awaitCall, takeCall } from './await-call.ts';
import { waitUnits, waitUntil } from './await-time.ts';

const unitChoices = waitUnits.map((value) => ({ name: `${value.charAt(0).toUpperCase()}${value.slice(1)}`, value }));
const limited = { resume: ['webhook'], limitWaitTime: [true] };

const callOptions = options(
  [
    toggle('ignoreBots', 'Ignore Bots', 'Whether calls of crawlers and link previews do not count'),
    text('ipWhitelist', 'IP(s) Whitelist', 'Addresses and networks that calls may come from, separated by commas; empty: all'),
    toggle('noResponseBody', 'No Response Body', 'Whether calls are answered without a body'),
    text('responseData', 'Response Data', 'Text that calls are answered with, in place of a message'),
    list('responseHeaders', 'Response Headers', 'entries', [
      text('name', 'Name', 'Name of a header of the answer'),
      text('value', 'Value', 'Its value'),
    ]),
    text('webhookSuffix', 'Webhook Suffix', 'What the address ends with, behind `$execution.resumeUrl` and a slash'),
  ],
  where({ resume: ['webhook'] }),
);

/**
 * Waits, then passes its items on. A short wait is held in memory; every other one is written down, so that it costs no worker and
 * survives all of them.
 */
export const wait: NodeType = {
  description: {
    displayName: 'Wait',
    name: 'wait',
    group: ['transform'],
    version: [1, 1.1],
    description:
      'Waits before the workflow goes on: for a time, for a date, or for a call of `$execution.resumeUrl`. Times above 65 seconds and calls put the execution into status `waiting`',
    defaults: { name: 'Wait' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'httpBasicAuth' }, { name: 'httpHeaderAuth' }, { name: 'jwtAuth' }],
    properties: [
      choice(
        'resume',
        'Resume',
        choices(
          ['timeInterval', 'After Time Interval'],
          ['specificTime', 'At Specified Time'],
          ['webhook', 'On Webhook Call', 'The items that come out are made of the call, not of what came in'],
          ['form', 'On Form Submitted', 'Not supported yet'],
        ),
      ),
      number('amount', 'Wait Amount', 1, 'How long', when([1], { resume: ['timeInterval'] })),
      number('amount', 'Wait Amount', 5, 'How long', when([1.1], { resume: ['timeInterval'] })),
      choice('unit', 'Wait Unit', unitChoices, { default: 'hours', ...when([1], { resume: ['timeInterval'] }) }),
      choice('unit', 'Wait Unit', unitChoices, { default: 'seconds', ...when([1.1], { resume: ['timeInterval'] }) }),
      text(
        'dateTime',
        'Date and Time',
        'When to go on, in the time zone of the workflow; a time that is over is not waited for',
        {
          type: 'dateTime',
          required: true,
          ...where({ resume: ['specificTime'] }),
        },
      ),
      choice(
        'incomingAuthentication',
        'Authentication',
        choices(['none', 'None'], ['basicAuth', 'Basic Auth'], ['headerAuth', 'Header Auth'], ['jwtAuth', 'JWT Auth']),
        { description: 'What a call has to bring, by a credential of the node', ...where({ resume: ['webhook'] }) },
      ),
      choice(
        'httpMethod',
        'HTTP Method',
        callMethods.map((value) => ({ name: value, value })),
        { default: 'GET', description: 'Calls with other methods are refused', ...where({ resume: ['webhook'] }) },
      ),
      choice(
        'responseMode',
        'Respond',
        choices(
          ['onReceived', 'Immediately'],
          ['lastNode', 'When Last Node Finishes', 'Not supported yet'],
          ['responseNode', "Using 'Respond to Webhook' Node", 'Not supported yet'],
        ),
        where({ resume: ['webhook'] }),
      ),
      number('responseCode', 'Response Code', 200, 'Status that calls are answered with', where({ resume: ['webhook'] })),
      toggle(
        'limitWaitTime',
        'Limit Wait Time',
        'Whether to go on, with the items that came in, when no call has come in time',
        {
          ...where({ resume: ['webhook'] }),
        },
      ),
      choice(
        'limitType',
        'Limit Type',
        choices(['afterTimeInterval', 'After Time Interval'], ['atSpecifiedTime', 'At Specified Time']),
        where(limited),
      ),
      number('resumeAmount', 'Amount', 1, 'How long to wait', where({ ...limited, limitType: ['afterTimeInterval'] })),
      choice('resumeUnit', 'Unit', unitChoices, {
        default: 'hours',
        ...where({ ...limited, limitType: ['afterTimeInterval'] }),
      }),
      text('maxDateAndTime', 'Max Date and Time', 'Until when to wait', {
        type: 'dateTime',
        ...where({ ...limited, limitType: ['atSpecifiedTime'] }),
      }),
      callOptions,
    ],
    icon: 'fa:pause-circle',
    iconColor: 'red',
  },
  async execute(context) {
    if (awaitCall(context)) return [];
    await waitUntil(context);
    return [context.items().map((item, itemIndex) => passedItem(item, itemIndex))];
  },
  resume(context, event) {
    if (event.kind === 'call') return [[takeCall(event.request)]];
    return [context.items().map((item, itemIndex) => passedItem(item, itemIndex))];
  },
};
