import type { JsonValue, NodeProperty } from '@sluice/node-sdk';
import { customCss, formFieldList } from './form-properties.ts';
import { atLeast, choice, choices, collection, list, number, text, toggle, where } from './properties.ts';

/* Parameters of operations that send a message and wait for a response, in the n8n format. */

type Shown = Record<string, readonly JsonValue[]>;

const styles = choices(['primary', 'Primary'], ['secondary', 'Secondary']);
const units = choices(['minutes', 'Minutes'], ['hours', 'Hours'], ['days', 'Days']);

const approvalOptions = (show: Shown): NodeProperty =>
  list(
    'approvalOptions',
    'Approval Options',
    'values',
    [
      choice('approvalType', 'Type of Approval', choices(['single', 'Approve Only'], ['double', 'Approve and Disapprove'])),
      text('approveLabel', 'Approve Button Label', 'Label of the link that approves', { default: 'Approve' }),
      choice('buttonApprovalStyle', 'Approve Button Style', styles),
      text('disapproveLabel', 'Disapprove Button Label', 'Label of the link that declines', {
        default: 'Decline',
        ...where({ approvalType: ['double'] }),
      }),
      choice('buttonDisapprovalStyle', 'Disapprove Button Style', styles, {
        default: 'secondary',
        ...where({ approvalType: ['double'] }),
      }),
    ],
    { typeOptions: {}, ...where({ ...show, responseType: ['approval'] }) },
  );

const limitWaitTime = list(
  'limitWaitTime',
  'Limit Wait Time',
  'values',
  [
    choice(
      'limitType',
      'Limit Type',
      choices(['afterTimeInterval', 'After Time Interval'], ['atSpecifiedTime', 'At Specified Time']),
    ),
    atLeast(0, number('resumeAmount', 'Amount', 45, 'How long to wait', where({ limitType: ['afterTimeInterval'] }))),
    choice('resumeUnit', 'Unit', units, where({ limitType: ['afterTimeInterval'] })),
    text('maxDateAndTime', 'Max Date and Time', 'Until when to wait', {
      type: 'dateTime',
      ...where({ limitType: ['atSpecifiedTime'] }),
    }),
  ],
  { typeOptions: {}, description: 'The workflow continues with the incoming items if no response arrives in time' },
);

const attribution = toggle('appendAttribution', 'Append Attribution', 'Whether to add a line that identifies the sender');

/** Parameters other than the recipient and the message. `show`: the operation's conditions. */
export function sendAndWaitProperties(show: Shown = {}): NodeProperty[] {
  const form = { ...show, responseType: ['customForm'] };
  return [
    choice(
      'responseType',
      'Response Type',
      choices(
        ['approval', 'Approval', 'The user approves or declines'],
        ['freeText', 'Free Text', 'The user writes text'],
        ['customForm', 'Custom Form', 'The user fills in a form'],
      ),
      where(show),
    ),
    approvalOptions(show),
    choice('defineForm', 'Define Form', choices(['fields', 'Using Fields Below'], ['json', 'Using JSON']), where(form)),
    text('jsonOutput', 'Form Fields', 'A list of fields, with a field’s parameter names', {
      type: 'json',
      default: '[]',
      ...where({ ...form, defineForm: ['json'] }),
    }),
    formFieldList({ ...form, defineForm: ['fields'] }),
    collection('options', 'Options', [limitWaitTime, attribution], where({ ...show, responseType: ['approval'] })),
    collection(
      'options',
      'Options',
      [
        text('messageButtonLabel', 'Message Button Label', 'Label of the link in the message', { default: 'Respond' }),
        text('responseFormTitle', 'Response Form Title', 'Title of the page'),
        text('responseFormDescription', 'Response Form Description', 'Text of the page; by default, the message'),
        text('responseFormButtonLabel', 'Response Form Button Label', 'Label of the button of the page', { default: 'Submit' }),
        { ...customCss, name: 'responseFormCustomCss', displayName: 'Response Form Custom Styling' },
        limitWaitTime,
        attribution,
      ],
      where({ ...show, responseType: ['freeText', 'customForm'] }),
    ),
  ];
}
