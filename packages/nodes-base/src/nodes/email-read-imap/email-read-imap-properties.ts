import type { NodeProperty } from '@sluice/node-sdk';
import { between, choice, choices, number, options, text, toggle, when, where } from '../../shared/properties.ts';

const prefix = 'Prefix of the attachments’ names in the item; a number from 0 follows';

export const emailReadImapProperties: readonly NodeProperty[] = [
  text('mailbox', 'Mailbox Name', 'Path of the mailbox on the server', { default: 'INBOX' }),
  choice(
    'postProcessAction',
    'Action',
    choices(['read', 'Mark as Read', 'After its execution is committed'], ['nothing', 'Nothing']),
    { description: 'What to do with a message' },
  ),
  toggle(
    'downloadAttachments',
    'Download Attachments',
    'Whether to add attachments as files of the item',
    where({ format: ['simple'] }),
  ),
  choice(
    'format',
    'Format',
    choices(
      ['raw', 'RAW', 'The whole message, in base64url, in the field `raw`'],
      ['resolved', 'Resolved', 'All headers, parsed addresses, and attachments as files'],
      ['simple', 'Simple', 'Addresses, subject, and text'],
    ),
    { default: 'simple' },
  ),
  text('dataPropertyAttachmentsPrefixName', 'Property Prefix Name', prefix, {
    default: 'attachment_',
    ...where({ format: ['resolved', 'simple'] }),
  }),
  options([
    toggle('allowUnauthorizedCerts', 'Ignore SSL Issues (Insecure)', 'Whether to accept any certificate', when([1])),
    text(
      'customEmailConfig',
      'Custom Email Rules',
      'Search for messages, as JSON, such as ["UNSEEN", ["SINCE", "2026-11-01"]]',
      {
        default: '["UNSEEN"]',
      },
    ),
    between(
      0,
      1_440,
      number('forceReconnect', 'Force Reconnect Every Minutes', 60, 'Minutes after which the connection is reopened; 0: never'),
    ),
    toggle('trackLastMessageId', 'Fetch Only New Emails', 'Whether to read only messages newer than the last one', {
      default: true,
    }),
  ]),
];
