import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { collection, text, toggle, when } from '@sluice/nodes-base/node-tools';
import type { ServiceItem } from '../../shared/service-item.ts';
import { attachment } from './attachment.ts';
import { write } from './slack-client.ts';
import { timestamp } from './slack-properties.ts';

/** Messages in version 1 of the node: options have their API names. */

const first = (more: Record<string, readonly JsonValue[]> = {}) => when([1], more);

const contents: readonly NodeProperty[] = [
  text('text', 'Text', 'Text of the message', first()),
  toggle('jsonParameters', 'JSON Parameters', 'Whether attachments and blocks are written as JSON', first()),
  {
    displayName: 'Attachments',
    name: 'attachments',
    type: 'json',
    default: [],
    description: 'List of attachments, with the names of the Slack API',
    ...first({ jsonParameters: [false] }),
  },
  {
    displayName: 'Blocks',
    name: 'blocksUi',
    type: 'json',
    default: {},
    description: 'Blocks with the names of the Slack API: a list in `blocksValues`',
    ...first({ jsonParameters: [false] }),
  },
  text('attachmentsJson', 'Attachments', 'JSON of the list of attachments', first({ jsonParameters: [true] })),
  text('blocksJson', 'Blocks', 'JSON of the list of blocks', first({ jsonParameters: [true] })),
];

const linkNames = toggle('link_names', 'Link Names', 'Whether @names and #names become links');

export const legacyPostProperties: readonly NodeProperty[] = [
  text('channel', 'Channel', 'Channel or user: ID, or a name such as `#general`', { required: true, ...first() }),
  ...contents,
  toggle('as_user', 'As User', 'Has no effect: the token decides who posts', first()),
  text('username', 'User Name', 'Name that is shown as the sender', first({ as_user: [false] })),
  collection(
    'otherOptions',
    'Other Options',
    [
      text('icon_emoji', 'Icon Emoji', 'An emoji such as `:tada:`'),
      text('icon_url', 'Icon URL', 'Address of an image'),
      linkNames,
      toggle('mrkdwn', 'Markdown', 'Whether the text has the markup of Slack', { default: true }),
      toggle('reply_broadcast', 'Reply Broadcast', 'Whether the reply is also shown in the channel'),
      timestamp('thread_ts'),
      toggle('unfurl_links', 'Unfurl Links', 'Whether links to text have a preview'),
      toggle('unfurl_media', 'Unfurl Media', 'Whether links to media have a preview', { default: true }),
      text('sendAsUser', 'Send as User', 'Name that is shown as the sender'),
    ].map((property) => ({ ...property, required: false })),
    first(),
  ),
];

export const legacyUpdateProperties: readonly NodeProperty[] = [
  ...contents,
  collection(
    'updateFields',
    'Update Fields',
    [linkNames, text('parse', 'Parse', 'How Slack reads names and links: `full` or `none`')],
    first(),
  ),
];

export function legacyPost(item: ServiceItem): Promise<JsonValue | undefined> {
  const { sendAsUser, ...options } = item.fields('otherOptions');
  const username = sendAsUser ?? item.optional('username');
  return write(item, 'chat.postMessage', {
    channel: item.id('channel'),
    ...legacyContent(item),
    ...options,
    ...(username !== undefined && { username }),
  });
}

export function legacyUpdate(item: ServiceItem): Promise<JsonValue | undefined> {
  return write(item, 'chat.update', {
    channel: item.id('channelId'),
    ts: item.required('ts'),
    ...legacyContent(item),
    ...item.fields('updateFields'),
  });
}

function legacyContent(item: ServiceItem): JsonObject {
  const words = item.text('text');
  const isJson = item.toggle('jsonParameters');
  const attachments = isJson ? item.json('attachmentsJson') : item.entries('attachments').map(attachment);
  const blocks = isJson ? item.json('blocksJson') : item.entries('blocksUi.blocksValues');
  const isEmpty = (list: JsonValue | undefined) => list === undefined || (Array.isArray(list) && list.length === 0);
  if (words === '' && isEmpty(attachments) && isEmpty(blocks))
    throw item.error('the message is empty', 'Write some text, or add attachments or blocks');
  return {
    ...(words !== '' && { text: words }),
    ...(!isEmpty(attachments) && { attachments: attachments ?? null }),
    ...(!isEmpty(blocks) && { blocks: blocks ?? null }),
  };
}
