import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { atLeast, between, choice, choices, number, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { onePage } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import {
  channelPath,
  channel as channelProperty,
  defaultLimit,
  guild,
  guildOf,
  guildOfList,
  listProperties,
} from './discord-properties.ts';

/** https://discord.com/developers/docs/resources/channel#channel-object-channel-types */
const types = choices(['0', 'Guild Text'], ['2', 'Guild Voice'], ['4', 'Guild Category']);

const common = [
  atLeast(8_000, number('bitrate', 'Bitrate', 8_000, 'Bits per second of a voice channel')),
  text('categoryId', 'Category', 'The category of the channel: from the list, by ID, or by URL', {
    typeOptions: { searchListMethod: 'categorySearch' },
  }),
  atLeast(0, number('position', 'Position', 1, 'Position in the list of channels')),
  between(0, 21_600, number('rate_limit_per_user', 'Rate Limit Per User', 0, 'Seconds between two messages of a user')),
  text('topic', 'Topic', 'Topic of a text channel, at most 1,024 characters'),
  between(0, 99, number('user_limit', 'User Limit', 0, 'Most users of a voice channel; 0: any number')),
];

/** https://discord.com/developers/docs/resources/channel */
export const channel: Resource = {
  displayName: 'Channel',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a channel',
      properties: [
        guild,
        text('name', 'Name', 'Name of the channel', { required: true }),
        choice('type', 'Type', types),
        options([toggle('nsfw', 'Age-Restricted (NSFW)', 'Whether the channel is age-restricted'), ...common]),
      ],
      run: (item) =>
        item.send({
          path: `/guilds/${guildOf(item)}/channels`,
          json: { name: item.required('name'), type: item.number('type', 0), ...settingsOf(item) },
        }),
    },
    deleteChannel: {
      displayName: 'Delete',
      description: 'Deletes a channel',
      properties: [guildOfList, channelProperty],
      run: (item) => item.send({ method: 'DELETE', path: channelPath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a channel',
      properties: [guildOfList, channelProperty],
      run: (item) => item.send({ path: channelPath(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the channels of a server',
      properties: [
        guild,
        ...listProperties,
        options([
          {
            displayName: 'Filter by Type',
            name: 'filter',
            type: 'multiOptions',
            default: [],
            options: types,
            description: 'Types to return; default: all',
          },
        ]),
      ],
      run: listed,
    },
    update: {
      displayName: 'Update',
      description: 'Changes a channel',
      properties: [
        guildOfList,
        channelProperty,
        text('name', 'Name', 'New name'),
        options([toggle('nsfw', 'Age-Restricted (NSFW)', 'Whether the channel is age-restricted'), ...common]),
      ],
      run: (item) =>
        item.send({
          method: 'PATCH',
          path: channelPath(item),
          json: { name: item.optional('name'), ...settingsOf(item) },
        }),
    },
  },
};

function settingsOf(item: ServiceItem): JsonObject {
  const { categoryId, ...settings } = item.fields('options');
  return categoryId === undefined
    ? settings
    : { ...settings, parent_id: item.id('options.categoryId', /\/channels\/\d+\/(\d+)/) };
}

async function listed(item: ServiceItem): Promise<JsonObject[]> {
  const wanted = [item.context.parameter<JsonValue>('options.filter', item.index) ?? []].flat().map(asText);
  const all = await item.list({ path: `/guilds/${guildOf(item)}/channels` }, onePage(), Number.POSITIVE_INFINITY);
  const matches = all.filter(({ type = '' }) => wanted.length === 0 || wanted.includes(asText(type)));
  return matches.slice(0, item.limit(defaultLimit));
}
