import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, names, text, toggle } from '@sluice/nodes-base/node-tools';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { EmailType } from './write-message.ts';

export const messageId = text('messageId', 'Message ID', 'ID of the message', { required: true });
export const threadId = text('threadId', 'Thread ID', 'ID of the thread', { required: true });
export const labelIds = names('labelIds', 'Label Names or IDs', 'IDs of the labels, such as `STARRED`', {
  required: true,
  typeOptions: { loadOptionsMethod: 'getLabels' },
});

export const listProperties = listPropertiesOf();

export const simple = toggle('simple', 'Simplify', 'Whether to return the main headers instead of the whole message', {
  default: true,
});

export const readProperties: readonly NodeProperty[] = [
  text('dataPropertyAttachmentsPrefixName', 'Attachment Prefix', 'Prefix of the names of files in the item', {
    default: 'attachment_',
  }),
  toggle('downloadAttachments', 'Download Attachments', 'Whether to add attachments as files of the item'),
];
export const readOptions = collection('options', 'Options', readProperties);

export const filterProperties: readonly NodeProperty[] = [
  toggle('includeSpamTrash', 'Include Spam and Trash', 'Whether to return messages in spam and trash'),
  names('labelIds', 'Label Names or IDs', 'Only messages with all of these labels'),
  text('q', 'Search', 'As in the search box of Gmail'),
  choice(
    'readStatus',
    'Read Status',
    choices(['unread', 'Unread emails only'], ['both', 'Unread and read emails'], ['read', 'Read emails only']),
  ),
  names('sender', 'Sender', 'Name or address of the sender; commas separate several, one of which must match'),
];
export const filters = collection('filters', 'Filters', [
  ...filterProperties,
  text('receivedAfter', 'Received After', 'Date, or seconds since 1970'),
  text('receivedBefore', 'Received Before', 'Date, or seconds since 1970'),
]);

/** Message type and text. */
export const body = (defaultType: EmailType): readonly NodeProperty[] => [
  choice('emailType', 'Email Type', choices(['text', 'Text'], ['html', 'HTML']), { default: defaultType }),
  text('message', 'Message', 'The message', { required: true }),
];
export const subject = text('subject', 'Subject', 'Subject of the message');

const attribution = toggle('appendAttribution', 'Append Attribution', 'Has no effect: nothing is appended');
const attachments = list('attachmentsUi', 'Attachments', 'attachmentsBinary', [
  names(
    'property',
    'Attachment Field Name',
    'Names of files of the item, separated by commas; HTML shows one by `cid:` and its name',
    { default: 'data' },
  ),
]);
const address = (name: string, displayName: string) => text(name, displayName, 'Separate several by commas');

export const sendOptions: readonly NodeProperty[] = [
  attribution,
  attachments,
  address('bccList', 'BCC'),
  address('ccList', 'CC'),
  text('replyTo', 'Send Replies To', 'Address for replies'),
  text('senderName', 'Sender Name', 'Name shown with the address of the account'),
];
export const replyOptions: readonly NodeProperty[] = [
  ...sendOptions,
  toggle('replyToSenderOnly', 'Reply to Sender Only', 'Whether the other recipients get no reply'),
  toggle('replyToRecipientsOnly', 'Reply to Recipients Only', 'Whether the sender gets no reply'),
];
export const draftOptions: readonly NodeProperty[] = [
  ...sendOptions,
  address('sendTo', 'To Email'),
  text('fromAlias', 'From Alias', 'Address of the account from which the draft is sent'),
  text('threadId', 'Thread ID', 'Thread to which the draft belongs'),
];
