import type { JsonObject } from '@sluice/node-sdk';
import { choices, collection, names, namesParameter, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { listOf, memberOf, read, write } from './slack-client.ts';
import { channel, channelOf, listProperties, timestamp, user, userOf } from './slack-properties.ts';

const operation = (
  displayName: string,
  description: string,
  run: Operation['run'],
  properties: Operation['properties'] = [channel],
): Operation => ({ displayName, description, properties, run });
const target = (item: ServiceItem) => ({ channel: channelOf(item) });
const period = collection('filters', 'Filters', [
  toggle('inclusive', 'Inclusive', 'Whether messages at the ends of the period are included'),
  text('latest', 'Latest', 'End of the period: a date, or a Slack timestamp'),
  text('oldest', 'Oldest', 'Start of the period: a date, or a Slack timestamp'),
]);
const kinds = choices(
  ['public_channel', 'Public Channels'],
  ['private_channel', 'Private Channels'],
  ['mpim', 'Group Messages'],
  ['im', 'Direct Messages'],
);

const memberLimit = 100;

/** https://docs.slack.dev/reference/methods#conversations */
export const conversations: Resource = {
  displayName: 'Channel',
  initial: 'create',
  operations: {
    archive: operation('Archive', 'Archives a channel', (item) => write(item, 'conversations.archive', target(item))),
    close: operation('Close', 'Closes a direct message', (item) => write(item, 'conversations.close', target(item))),
    create: operation(
      'Create',
      'Creates a channel',
      (item) =>
        memberOf(
          write(item, 'conversations.create', {
            name: item.id('channelId'),
            is_private: item.text('channelVisibility', 'public') === 'private',
          }),
          'channel',
        ),
      [
        text('channelId', 'Channel Name', 'Name of the new channel', { required: true }),
        {
          displayName: 'Channel Visibility',
          name: 'channelVisibility',
          type: 'options',
          default: 'public',
          options: choices(['public', 'Public Channel'], ['private', 'Private Channel']),
          description: 'Who can see the channel',
        },
      ],
    ),
    get: operation(
      'Get',
      'Gets a channel',
      (item) =>
        memberOf(
          item.send(
            read('conversations.info', {
              ...target(item),
              ...(item.toggle('options.includeNumMembers') && { include_num_members: true }),
            }),
          ),
          'channel',
        ),
      [
        channel,
        collection('options', 'Options', [
          toggle('includeNumMembers', 'Include Number of Members', 'Whether to count the members'),
        ]),
      ],
    ),
    getAll: operation(
      'Get Many',
      'Lists channels',
      (item) =>
        listOf(item, 'conversations.list', 'channels', {
          types: namesParameter(item.context, 'filters.types', item.index).join(','),
          ...(item.toggle('filters.excludeArchived') && { exclude_archived: true }),
        }),
      [
        ...listProperties,
        collection('filters', 'Filters', [
          toggle('excludeArchived', 'Exclude Archived', 'Whether archived channels are left out'),
          {
            displayName: 'Types',
            name: 'types',
            type: 'multiOptions',
            default: ['public_channel'],
            options: kinds,
            description: 'Kinds of channels',
          },
        ]),
      ],
    ),
    history: operation(
      'History',
      'Lists the messages of a channel',
      async (item) => listOf(item, 'conversations.history', 'messages', { ...target(item), ...(await periodOf(item)) }),
      [channel, ...listProperties, period],
    ),
    invite: operation(
      'Invite',
      'Invites users to a channel',
      (item) =>
        memberOf(
          write(item, 'conversations.invite', {
            ...target(item),
            users: namesParameter(item.context, 'userIds', item.index).join(','),
          }),
          'channel',
        ),
      [channel, names('userIds', 'Users', 'IDs of the users', { required: true })],
    ),
    join: operation('Join', 'Joins a channel', (item) => memberOf(write(item, 'conversations.join', target(item)), 'channel')),
    kick: operation(
      'Kick',
      'Removes a user from a channel',
      (item) => write(item, 'conversations.kick', { ...target(item), user: userOf(item, 'userId') }),
      [channel, user('userId')],
    ),
    leave: operation('Leave', 'Leaves a channel', (item) => write(item, 'conversations.leave', target(item))),
    member: operation(
      'Member',
      'Lists the members of a channel',
      async (item) => {
        const records = await listOf(item, 'conversations.members', 'members', target(item), item.limit(memberLimit));
        if (!item.toggle('resolveData')) return records.map(({ value = null }) => ({ member: value }));
        const resolved: JsonObject[] = [];
        for (const { value } of records)
          resolved.push(objectOf(await memberOf(item.send(read('users.info', { user: value })), 'user')));
        return resolved;
      },
      [
        channel,
        ...listPropertiesOf(memberLimit),
        toggle('resolveData', 'Resolve Data', 'Whether to return the users instead of their IDs'),
      ],
    ),
    open: operation(
      'Open',
      'Opens a direct message',
      (item) => memberOf(write(item, 'conversations.open', openTarget(item)), 'channel'),
      [
        collection('options', 'Options', [
          text('channelId', 'Channel', 'ID of a conversation to resume'),
          toggle('returnIm', 'Return IM', 'Whether to return the whole conversation'),
          names('users', 'Users', 'IDs of the users'),
        ]),
      ],
    ),
    rename: operation(
      'Rename',
      'Renames a channel',
      (item) => memberOf(write(item, 'conversations.rename', { ...target(item), name: item.required('name') }), 'channel'),
      [channel, text('name', 'Name', 'New name', { required: true })],
    ),
    replies: operation(
      'Replies',
      'Lists the messages of a thread',
      async (item) =>
        listOf(item, 'conversations.replies', 'messages', {
          ...target(item),
          ts: item.required('ts'),
          ...(await periodOf(item)),
        }),
      [channel, timestamp('ts'), ...listProperties, period],
    ),
    setPurpose: operation(
      'Set Purpose',
      'Changes the purpose of a channel',
      (item) =>
        memberOf(write(item, 'conversations.setPurpose', { ...target(item), purpose: item.text('purpose') }), 'channel'),
      [channel, text('purpose', 'Purpose', 'New purpose', { required: true })],
    ),
    setTopic: operation(
      'Set Topic',
      'Changes the topic of a channel',
      (item) => memberOf(write(item, 'conversations.setTopic', { ...target(item), topic: item.text('topic') }), 'channel'),
      [channel, text('topic', 'Topic', 'New topic', { required: true })],
    ),
    unarchive: operation('Unarchive', 'Restores an archived channel', (item) =>
      write(item, 'conversations.unarchive', target(item)),
    ),
  },
};

/** The filters, with dates as Slack timestamps: seconds since 1970. */
async function periodOf(item: ServiceItem): Promise<JsonObject> {
  const at = async (path: string) => (/^\d+(\.\d+)?$/.test(item.text(path)) ? item.text(path) : item.seconds(path));
  const [latest, oldest] = [await at('filters.latest'), await at('filters.oldest')];
  return {
    ...item.fields('filters'),
    ...(latest !== undefined && { latest }),
    ...(oldest !== undefined && { oldest }),
  };
}

function openTarget(item: ServiceItem): Record<string, string | boolean> {
  const users = namesParameter(item.context, 'options.users', item.index).join(',');
  const channelId = item.text('options.channelId');
  return {
    ...(channelId !== '' && { channel: channelId }),
    ...(users !== '' && { users }),
    ...(item.toggle('options.returnIm') && { return_im: true }),
  };
}
