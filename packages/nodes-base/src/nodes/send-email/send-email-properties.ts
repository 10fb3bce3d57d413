import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, options, text, toggle, when, where } from '../../shared/properties.ts';
import { sendAndWaitProperties } from '../../shared/send-and-wait-properties.ts';

export const sendEmailVersions = [1, 2, 2.1];

const first = when([1]);
const sending = { operation: ['send'] };
const later = when([2, 2.1], sending);
const waiting = { '@version': [2, 2.1], operation: ['sendAndWait'] };

const insecure = toggle(
  'allowUnauthorizedCerts',
  'Ignore SSL Issues (Insecure)',
  'Whether to accept any certificate. Others may then be able to read the traffic',
);
const replyTo = text('replyTo', 'Reply To', 'Address for replies');
const attachments = 'Files of the item to attach, separated by commas; HTML shows a file by `cid:` and its field name';
const formats = choices(['text', 'Text'], ['html', 'HTML'], ['both', 'Both']);

export const sendEmailProperties: readonly NodeProperty[] = [
  { displayName: 'Resource', name: 'resource', type: 'hidden', default: 'email', ...when([2, 2.1]) },
  choice(
    'operation',
    'Operation',
    choices(
      ['send', 'Send'],
      ['sendAndWait', 'Send and Wait for Response', 'Sends one email for all items, and waits for the response'],
    ),
    when([2, 2.1]),
  ),
  text('fromEmail', 'From Email', '`name@example.com`, or `Name <name@example.com>`', { required: true }),
  text('toEmail', 'To Email', 'Separate several addresses with commas', { required: true }),
  text('ccEmail', 'CC Email', 'Separate several addresses with commas', first),
  text('bccEmail', 'BCC Email', 'Separate several addresses with commas', first),
  text('subject', 'Subject', ''),
  choice('emailFormat', 'Email Format', formats, when([2], sending)),
  choice('emailFormat', 'Email Format', formats, { ...when([2.1], sending), default: 'html' }),
  text('text', 'Text', 'The message as plain text', when([1])),
  text('html', 'HTML', 'The message as HTML', when([1])),
  text('text', 'Text', 'The message as plain text', when([2, 2.1], { ...sending, emailFormat: ['text', 'both'] })),
  text('html', 'HTML', 'The message as HTML', when([2, 2.1], { ...sending, emailFormat: ['html', 'both'] })),
  text('attachments', 'Attachments', attachments, first),
  options([insecure, replyTo], first),
  options(
    [
      toggle('appendAttribution', 'Append Attribution', 'Has no effect: nothing is appended', { default: true }),
      text('attachments', 'Attachments', attachments),
      text('fileAttachments', 'File Attachments', attachments),
      text('ccEmail', 'CC Email', 'Separate several addresses with commas'),
      text('bccEmail', 'BCC Email', 'Separate several addresses with commas'),
      insecure,
      replyTo,
    ],
    later,
  ),
  text('message', 'Message', 'Text of the email', { required: true, ...where(waiting) }),
  ...sendAndWaitProperties(waiting),
];
