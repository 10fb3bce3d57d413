import type { ExecuteContext, NodeType } from '@sluice/node-sdk';
import { waitUnits } from '../../shared/durations.ts';
import { submittedItem } from '../../shared/form-page.ts';
import {
  appendAttribution,
  formDescription,
  formFieldList,
  formTitle,
  limitWaitTime,
  respondWithOptions,
} from '../../shared/form-properties.ts';
import { textParameter } from '../../shared/parameters.ts';
import { passedItem } from '../../shared/per-item.ts';
import {
  atLeast,
  between,
  choice,
  choices,
  list,
  names,
  number,
  options,
  text,
  toggle,
  when,
  where,
} from '../../shared/properties.ts';
import { requestMethods } from '../../shared/webhook-requests.ts';
import { lastNodeChoices } from '../../shared/webhook-response.ts';
import { awaitRequest, itemOfRequest } from './await-request.ts';
import { waitUntil } from './await-time.ts';

const unitChoices = waitUnits.map((value) => ({ name: `${value.charAt(0).toUpperCase()}${value.slice(1)}`, value }));

const callOptions = options(
  [
    toggle('ignoreBots', 'Ignore Bots', 'Whether to ignore requests from crawlers and link previews'),
    names(
      'ipWhitelist',
      'IP(s) Whitelist',
      'At most 2,000 addresses and networks that requests may come from, separated by commas; empty: all',
    ),
    toggle('binaryData', 'Binary File', 'Whether the body is a file, regardless of its type', when([1])),
    text(
      'binaryPropertyName',
      'Field Name for Binary Data',
      'Property of the item for the file; for several files, its prefix',
      {
        default: 'data',
      },
    ),
    toggle('rawBody', 'Raw Body', 'Whether the item also has the unparsed body as a file, decompressed'),
    toggle('noResponseBody', 'No Response Body', 'Whether to respond without a body'),
    text('responseData', 'Response Data', 'Text of the response, instead of a message'),
    list('responseHeaders', 'Response Headers', 'entries', [
      text('name', 'Name', 'Name of a response header'),
      text('value', 'Value', 'Its value'),
    ]),
    text('responsePropertyName', 'Property Name', 'Dotted path to the part of the first entry that is the response', {
      ...where({ '/responseMode': ['lastNode'] }),
    }),
    text('responseContentType', 'Response Content-Type', 'Content type of the first entry, which is then sent as text', {
      ...where({ '/responseMode': ['lastNode'] }),
    }),
    text('webhookSuffix', 'Webhook Suffix', 'Last part of the URL, after `$execution.resumeUrl` and a slash'),
  ],
  where({ resume: ['webhook'] }),
);

const onForm = { resume: ['form'] };
const formProperties = [
  choice('incomingAuthentication', 'Authentication', choices(['none', 'None'], ['basicAuth', 'Basic Auth']), {
    description: 'Login required from users, from a credential of the node',
    ...where(onForm),
  }),
  formTitle(onForm),
  formDescription(onForm),
  formFieldList(onForm),
  choice(
    'responseMode',
    'Respond When',
    choices(
      ['onReceived', 'Form Is Submitted'],
      ['lastNode', 'Workflow Finishes'],
      ['responseNode', "Using 'Respond to Webhook' Node"],
    ),
    where(onForm),
  ),
  ...limitWaitTime(onForm),
  options(
    [
      appendAttribution,
      respondWithOptions,
      text('webhookSuffix', 'Webhook Suffix', 'Last part of the URL, after `$execution.resumeFormUrl` and a slash'),
    ],
    where(onForm),
  ),
];

/**
 * Waits, then passes its items on. A short wait stays in memory. Longer ones are suspended in the
 * database, so that they occupy no worker and survive restarts.
 */
export const wait: NodeType = {
  description: {
    displayName: 'Wait',
    name: 'wait',
    group: ['transform'],
    version: [1, 1.1],
    description:
      'Waits for a time, for a date, for a request to `$execution.resumeUrl`, or for a form at `$execution.resumeFormUrl`. Times above 1.5 seconds, requests, and forms put the execution into status `waiting`',
    defaults: { name: 'Wait' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [
      { name: 'httpBasicAuth', ...where({ incomingAuthentication: ['basicAuth'] }) },
      { name: 'httpHeaderAuth', ...where({ incomingAuthentication: ['headerAuth'] }) },
      { name: 'jwtAuth', ...where({ incomingAuthentication: ['jwtAuth'] }) },
    ],
    properties: [
      choice(
        'resume',
        'Resume',
        choices(
          ['timeInterval', 'After Time Interval'],
          ['specificTime', 'At Specified Time'],
          ['webhook', 'On Webhook Call', 'The output items contain the request, not the input'],
          ['form', 'On Form Submitted', 'Waits for a form at `$execution.resumeFormUrl`; the output items contain its fields'],
        ),
      ),
      atLeast(0, number('amount', 'Wait Amount', 1, 'How long', when([1], { resume: ['timeInterval'] }))),
      atLeast(0, number('amount', 'Wait Amount', 5, 'How long', when([1.1], { resume: ['timeInterval'] }))),
      choice('unit', 'Wait Unit', unitChoices, { default: 'hours', ...when([1], { resume: ['timeInterval'] }) }),
      choice('unit', 'Wait Unit', unitChoices, { default: 'seconds', ...when([1.1], { resume: ['timeInterval'] }) }),
      text('dateTime', 'Date and Time', 'When to resume, in the workflow’s time zone; a past time resumes immediately', {
        type: 'dateTime',
        required: true,
        ...where({ resume: ['specificTime'] }),
      }),
      choice(
        'incomingAuthentication',
        'Authentication',
        choices(['none', 'None'], ['basicAuth', 'Basic Auth'], ['headerAuth', 'Header Auth'], ['jwtAuth', 'JWT Auth']),
        {
          description: 'Authentication required from requests, from a credential of the node',
          ...where({ resume: ['webhook'] }),
        },
      ),
      choice(
        'httpMethod',
        'HTTP Method',
        requestMethods.map((value) => ({ name: value, value })),
        { default: 'GET', description: 'Requests with other methods are refused', ...where({ resume: ['webhook'] }) },
      ),
      choice(
        'responseMode',
        'Respond',
        choices(
          ['onReceived', 'Immediately'],
          ['lastNode', 'When Last Node Finishes'],
          ['responseNode', "Using 'Respond to Webhook' Node"],
        ),
        where({ resume: ['webhook'] }),
      ),
      between(200, 599, number('responseCode', 'Response Code', 200, 'Status of the response', where({ resume: ['webhook'] }))),
      choice('responseData', 'Response Data', lastNodeChoices, {
        description: 'Part of the last node’s items to respond with',
        ...where({ resume: ['webhook'], responseMode: ['lastNode'] }),
      }),
      text('responseBinaryPropertyName', 'Property Name', 'Which file of the first item is the response', {
        default: 'data',
        ...where({ resume: ['webhook'], responseData: ['firstEntryBinary'] }),
      }),
      ...limitWaitTime({ resume: ['webhook'] }, 'no request arrived'),
      callOptions,
      ...formProperties,
    ],
    icon: 'fa:pause-circle',
    iconColor: 'red',
  },
  async execute(context) {
    if (awaitRequest(context)) return [];
    await waitUntil(context);
    return [context.items().map((item, itemIndex) => passedItem(item, itemIndex))];
  },
  resume(context, event) {
    if (event.kind === 'call')
      return [[isForm(context) ? submittedItem(context, event.request) : itemOfRequest(event.request)]];
    return [context.items().map((item, itemIndex) => passedItem(item, itemIndex))];
  },
};

function isForm(context: ExecuteContext): boolean {
  return textParameter(context, 'resume', 0) === 'form';
}
