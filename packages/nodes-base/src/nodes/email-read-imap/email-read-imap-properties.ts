import type { NodeProperty } from '@sluice/node-sdk';
import { between, choice, choices, number, options, text, toggle, when, where } from '../../shared/properties.ts';

const prefix = 'What the names of attachments in the item begin with; a number follows, from 0';

export const emailReadImapProperties: readonly NodeProperty[] = [
  text('mailbox', 'Mailbox Name', 'Its path at the server', { default: 'INBOX' }),
  choice(
    'postProcessAction',
    'Action',
    choices(['read', 'Mark as Read', 'Once its execution is sure to run'], ['nothing', 'Nothing']),
    { description: 'What becomes of a message' },
  ),
  toggle(
    'downloadAttachments',
    'Download Attachments',
    'Whether attachments become files of the item',
    where({ format: ['simple'] }),
  ),
  choice(
    'format',
    'Format',
    choices(
      ['raw', 'RAW', 'The whole message, in base64url, in the field `raw`'],
      ['resolved', 'Resolved', 'All headers, addresses taken apart, and attachments as files'],
      ['simple', 'Simple', 'Addresses, subject and texts'],
    ),
    { default: 'simple' },
  ),
  text('dataPropertyAttachmentsPrefixName', 'Property Prefix Name', prefix, {
    default: 'attachment_',
    ...where({ format: ['resolved', 'simple'] }),
  }),
  options([
    toggle('allowUnauthorizedCerts', 'Ignore SSL Issues (Insecure)', 'Whether any certificate is accepted', when([1])),
    text(
      'customEmailConfig',
      'Custom Email Rules',
      'Which messages count, as JSON, such as ["UNSEEN", ["SINCE", "2026-11-01"]]',
      {
        default: '["UNSEEN"]',
      },
    ),
    between(
      0,
      1_440,
      number('forceReconnect', 'Force Reconnect Every Minutes', 60, 'Minutes after which the connection is reopened; 0: never'),
    ),
    toggle('trackLastMessageId', 'Fetch Only New Emails', 'Whether only messages count that came after the last one', {
      default: true,
    }),
  ]),
];
