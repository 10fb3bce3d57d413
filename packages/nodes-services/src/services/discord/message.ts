import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { choice, choices, options, type Question, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { type Resource, sendAndWait } from '../../shared/define-service.ts';
import { objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { pagesById } from './discord-client.ts';
import {
  channel,
  channelPath,
  defaultLimit,
  guildOfList,
  listProperties,
  messageId,
  simplify,
  user,
  userOf,
} from './discord-properties.ts';
import { contentOf, contentProperties, flagBits, flags, messageRequest } from './message-content.ts';

const pageSize = 100;

/** The channel of a server, or a user. */
const recipient = [
  guildOfList,
  choice('sendTo', 'Send To', choices(['user', 'User'], ['channel', 'Channel']), { default: 'channel' }),
  { ...user(), ...where({ sendTo: ['user'] }) },
  { ...channel, ...where({ sendTo: ['channel'] }) },
];

/** https://discord.com/developers/docs/resources/message */
export const message: Resource = {
  displayName: 'Message',
  initial: 'send',
  operations: {
    deleteMessage: {
      displayName: 'Delete',
      description: 'Deletes a message',
      properties: [guildOfList, channel, messageId],
      run: (item) => item.perform({ method: 'DELETE', path: messagePath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a message',
      properties: [guildOfList, channel, messageId, simplify],
      async run(item) {
        const response = await item.send({ path: messagePath(item) });
        return item.toggle('options.simplify') && isJsonObject(response) ? simple(response) : response;
      },
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the messages of a channel, the newest first',
      properties: [guildOfList, channel, ...listProperties, simplify],
      run: listed,
    },
    react: {
      displayName: 'React with Emoji',
      description: 'Adds a reaction to a message',
      properties: [
        guildOfList,
        channel,
        messageId,
        text('emoji', 'Emoji', 'The emoji itself, or `name:id` of an emoji of the server', { required: true }),
      ],
      async run(item) {
        const emoji = encodeURIComponent(item.required('emoji').replace(/^<a?:|>$/g, ''));
        return item.perform({ method: 'PUT', path: `${messagePath(item)}/reactions/${emoji}/@me` });
      },
    },
    send: {
      displayName: 'Send',
      description: 'Sends a message to a channel or a user',
      properties: [
        ...recipient,
        ...contentProperties,
        options([
          flags,
          text('message_reference', 'Message to Reply to', 'ID of the message that this one replies to'),
          toggle('tts', 'Text-to-Speech (TTS)', 'Whether the message is spoken to those who see the channel'),
        ]),
      ],
      run: send,
    },
    sendAndWait: sendAndWait(recipient, async (item, question) =>
      item.send({ path: `${await recipientPath(item)}/messages`, json: questionMessage(question) }),
    ),
  },
};

/** https://discord.com/developers/docs/components/reference#button: links, in a row. */
function questionMessage({ message: words, links, attribution }: Question): JsonObject {
  const buttons = links.map(({ label, url }) => ({ type: 2, style: 5, label: label.slice(0, 80), url }));
  const content = [words, ...(attribution === undefined ? [] : [attribution])].join('\n\n');
  return { content, components: [{ type: 1, components: buttons }] };
}

const messagePath = (item: ServiceItem) => `${channelPath(item)}/messages/${encodeURIComponent(item.required('messageId'))}`;

async function send(item: ServiceItem): Promise<JsonValue | undefined> {
  const { flags: chosen, message_reference: reference, ...rest } = item.fields('options');
  const json = contentOf(item, {
    ...rest,
    ...flagBits(chosen),
    ...(reference !== undefined && { message_reference: { message_id: reference } }),
  });
  const request = messageRequest(item, json);
  return item.send({ path: `${await recipientPath(item)}/messages`, ...request });
}

/**
 * Channel path; a user's direct channel is opened first
 * (https://discord.com/developers/docs/resources/user#create-dm).
 */
async function recipientPath(item: ServiceItem): Promise<string> {
  if (item.text('sendTo', 'channel') !== 'user') return channelPath(item);
  const direct = await item.send({ path: '/users/@me/channels', json: { recipient_id: userOf(item) } });
  const { id } = objectOf(direct);
  if (typeof id === 'string' && id !== '') return `/channels/${encodeURIComponent(id)}`;
  throw item.error('Discord has not opened a channel with this user', 'Check the user ID, and that the user is not a bot');
}

async function listed(item: ServiceItem): Promise<JsonObject[]> {
  const limit = item.limit(defaultLimit);
  const size = Math.min(limit, pageSize);
  const request = { path: `${channelPath(item)}/messages`, query: { limit: size } };
  const records = await item.list(
    request,
    pagesById('before', size, ({ id }) => id),
    limit,
  );
  return item.toggle('options.simplify') ? records.map(simple) : records;
}

function simple({
  id = null,
  channel_id = null,
  author,
  content = null,
  timestamp = null,
  type = null,
}: JsonObject): JsonObject {
  const { id: authorId = null, username = null } = objectOf(author);
  return { id, channel_id, author: { id: authorId, username }, content, timestamp, type };
}
