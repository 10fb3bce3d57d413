import { isJsonObject, type JsonObject, type JsonValue, type NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, type Question, text, toggle, when, where } from '@sluice/nodes-base/node-tools';
import { type Resource, sendAndWait } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { textParts } from '../../shared/text-parts.ts';
import { attachment } from './attachment.ts';
import { legacyPost, legacyPostProperties, legacyUpdate, legacyUpdateProperties } from './legacy-message.ts';
import { search } from './search-messages.ts';
import { read, write } from './slack-client.ts';
import { channel, channelOf, timestamp, user, userOf } from './slack-properties.ts';

const contents = [
  choice(
    'messageType',
    'Message Type',
    choices(['text', 'Simple Text Message'], ['block', 'Blocks'], ['attachment', 'Attachments']),
  ),
  text('text', 'Message Text', 'Text of the message; with blocks, the text of notifications'),
  text(
    'blocksUi',
    'Blocks',
    'JSON of the blocks: a list, or an object with `blocks` or `blocksValues`',
    where({ messageType: ['block'] }),
  ),
  {
    displayName: 'Attachments',
    name: 'attachments',
    type: 'json' as const,
    default: [],
    description: 'List of attachments, with the names of the Slack API',
    ...where({ messageType: ['attachment'] }),
  },
];

const thread = list(
  'thread_ts',
  'Reply to a Message',
  'replyValues',
  [timestamp('thread_ts'), toggle('reply_broadcast', 'Reply to Thread', 'Whether the reply is also shown in the channel')],
  { typeOptions: {} },
);

const profile = list(
  'botProfile',
  'Custom Bot Profile Photo',
  'imageValues',
  [
    choice('profilePhotoType', 'Add Photo As', choices(['image', 'Image URL'], ['emoji', 'Emoji Code'])),
    text('icon_emoji', 'Emoji Code', 'An emoji such as `:tada:`', where({ profilePhotoType: ['emoji'] })),
    text('icon_url', 'Image URL', 'Address of an image', where({ profilePhotoType: ['image'] })),
  ],
  { typeOptions: {} },
);

const ephemeral = list('ephemeral', 'Send as Ephemeral Message', 'ephemeralValues', [user()], { typeOptions: {} });

const linkToWorkflow = toggle(
  'includeLinkToWorkflow',
  'Include Link to Workflow',
  'Whether to add a line that names the workflow',
);

const laterVersions = [{ _cnd: { gte: 2 } }];

/** A property in version 2. */
function later(property: NodeProperty): NodeProperty {
  const { displayOptions = {} } = property;
  return { ...property, displayOptions: { ...displayOptions, show: { ...displayOptions.show, '@version': laterVersions } } };
}

const recipientProperties = (defaultKind: '' | 'user') => [
  choice('select', 'Send Message To', choices(['channel', 'Channel'], ['user', 'User']), { default: defaultKind }),
  { ...channel, ...where({ select: ['channel'] }) },
  { ...user(), ...where({ select: ['user'] }) },
];

/** https://docs.slack.dev/reference/methods/chat.postMessage */
export const message: Resource = {
  displayName: 'Message',
  initial: 'post',
  operations: {
    post: {
      displayName: 'Send',
      description: 'Sends a message to a channel or a user',
      properties: [
        ...[...recipientProperties(''), ...contents].map(later),
        collection(
          'otherOptions',
          'Options',
          [
            linkToWorkflow,
            profile,
            toggle('link_names', 'Link User and Channel Names', 'Whether @names and #names become links'),
            thread,
            toggle('mrkdwn', 'Use Markdown?', 'Whether the text has the markup of Slack', { default: true }),
            toggle('unfurl_links', 'Unfurl Links', 'Whether links to text have a preview'),
            toggle('unfurl_media', 'Unfurl Media', 'Whether links to media have a preview', { default: true }),
            ephemeral,
            text('sendAsUser', 'Send as User', 'Name that is shown as the sender'),
          ],
          when(laterVersions),
        ),
        ...legacyPostProperties,
      ],
      run: (item) => (item.version === 1 ? legacyPost(item) : post(item)),
    },
    sendAndWait: sendAndWait(recipientProperties('user'), (item, question) =>
      write(item, 'chat.postMessage', {
        channel: targetOf(item, 'user'),
        text: question.message,
        blocks: questionBlocks(question),
        ...groupOf(item.fields('options')['thread_ts'], 'replyValues'),
      }),
    ),
    update: {
      displayName: 'Update',
      description: 'Replaces a message',
      properties: [
        channel,
        timestamp('ts'),
        ...contents.map(later),
        ...legacyUpdateProperties,
        collection(
          'updateFields',
          'Update Fields',
          [
            toggle('link_names', 'Link User and Channel Names', 'Whether @names and #names become links'),
            choice('parse', 'Parse', choices(['client', 'Client'], ['full', 'Full'], ['none', 'None']), {
              description: 'How Slack reads names and links',
            }),
          ],
          when(laterVersions),
        ),
        collection('otherOptions', 'Options', [linkToWorkflow], when(laterVersions)),
      ],
      run: (item) => (item.version === 1 ? legacyUpdate(item) : update(item)),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a message',
      properties: [
        choice('select', 'Delete Message From', choices(['channel', 'Channel'], ['user', 'User']), { default: 'channel' }),
        { ...channel, ...where({ select: ['channel'] }) },
        { ...user(), ...where({ select: ['user'] }) },
        timestamp(),
      ],
      run: (item) => write(item, 'chat.delete', { channel: targetOf(item), ts: item.required('timestamp') }),
    },
    getPermalink: {
      displayName: 'Get Permalink',
      description: 'Gets the address of a message',
      properties: [channel, timestamp()],
      run: (item) => item.send(read('chat.getPermalink', { channel: channelOf(item), message_ts: item.required('timestamp') })),
    },
    search,
  },
};

function targetOf(item: ServiceItem, defaultKind: '' | 'user' = ''): string {
  return item.text('select', defaultKind) === 'user' ? userOf(item) : channelOf(item);
}

async function post(item: ServiceItem): Promise<JsonValue | undefined> {
  const {
    botProfile,
    thread_ts: reply,
    ephemeral: onlyFor,
    sendAsUser,
    includeLinkToWorkflow,
    ...options
  } = item.fields('otherOptions');
  const { profilePhotoType: _, ...icon } = groupOf(botProfile, 'imageValues');
  const request = {
    channel: targetOf(item),
    ...contentOf(item, includeLinkToWorkflow === true),
    ...options,
    ...(typeof sendAsUser === 'string' && { username: sendAsUser }),
    ...icon,
    ...groupOf(reply, 'replyValues'),
  };
  const recipient = isJsonObject(onlyFor) ? userOf(item, 'otherOptions.ephemeral.ephemeralValues.user') : undefined;
  const response = await (recipient === undefined
    ? write(item, 'chat.postMessage', request)
    : write(item, 'chat.postEphemeral', { ...request, user: recipient }));
  return isJsonObject(response)
    ? { ...response, message_timestamp: response['ts'] ?? response['message_ts'] ?? null }
    : response;
}

function update(item: ServiceItem): Promise<JsonValue | undefined> {
  const { includeLinkToWorkflow, ...options } = item.fields('otherOptions');
  return write(item, 'chat.update', {
    channel: channelOf(item),
    ts: item.required('ts'),
    ...contentOf(item, includeLinkToWorkflow === true),
    ...options,
    ...item.fields('updateFields'),
  });
}

/**
 * Maximum number of characters in a section's text:
 * https://docs.slack.dev/reference/block-kit/blocks/section-block
 */
const maxSectionLength = 3_000;

function questionBlocks({ message: words, links, attribution }: Question): JsonObject[] {
  const buttons = links.map(({ label, url, style }) => ({
    type: 'button',
    text: { type: 'plain_text', text: label.slice(0, 75) },
    url,
    ...(style === 'primary' && { style }),
  }));
  const end = { type: 'context', elements: [{ type: 'plain_text', text: attribution ?? '' }] };
  return [
    ...textParts(words, maxSectionLength).map((part) => ({ type: 'section', text: { type: 'mrkdwn', text: part } })),
    { type: 'actions', elements: buttons },
    ...(attribution === undefined ? [] : [end]),
  ];
}

function groupOf(value: JsonValue | undefined, name: string): JsonObject {
  const [entry = {}] = objectsOf(objectOf(value)[name]);
  return Object.fromEntries(Object.entries(entry).filter(([, member]) => member !== ''));
}

function contentOf(item: ServiceItem, namesWorkflow: boolean): JsonObject {
  const words = item.text('text');
  switch (item.text('messageType', 'text')) {
    case 'block': {
      const json = item.json('blocksUi');
      const blocks = isJsonObject(json) ? (json['blocks'] ?? json['blocksValues']) : json;
      if (!Array.isArray(blocks))
        throw item.error('the parameter "blocksUi" has no list of blocks', 'Paste the JSON of the Block Kit Builder');
      return { blocks, ...(words !== '' && { text: words }) };
    }
    case 'attachment':
      return { attachments: item.entries('attachments').map(attachment), ...(words !== '' && { text: words }) };
    default:
      return {
        text: `${item.required('text')}${namesWorkflow ? `\n_Sent by the workflow ${item.context.workflow.name}_` : ''}`,
      };
  }
}
