import { isJsonObject, type JsonObject, type JsonValue, type ListSearchResult, type MethodContext } from '@sluice/node-sdk';
import { choice, choices, when, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { sendAll } from '../../shared/paging.ts';
import { chosenId } from '../../shared/service-item.ts';
import { channel } from './channel.ts';
import { discordClient, pagesById } from './discord-client.ts';
import { guildUrl } from './discord-properties.ts';
import { member } from './member.ts';
import { message } from './message.ts';
import { legacyMessage, webhookMessage } from './webhook.ts';

const shownFor = (authentication: string) => where({ authentication: [authentication], '@version': [2] });

export const discord = defineService({
  displayName: 'Discord',
  name: 'discord',
  version: [1, 2],
  description: 'Sends messages to Discord, and manages channels and members of servers',
  credentials: [
    { name: 'discordBotApi', required: true, ...shownFor('botToken') },
    { name: 'discordOAuth2Api', required: true, ...shownFor('oAuth2') },
    { name: 'discordWebhookApi', required: true, ...shownFor('webhook') },
  ],
  icon: 'fa:comments',
  iconColor: 'purple',
  client: discordClient,
  leading: [
    choice(
      'authentication',
      'Connection Type',
      choices(['botToken', 'Bot Token'], ['oAuth2', 'OAuth2'], ['webhook', 'Webhook']),
      when([2]),
    ),
  ],
  alone: [legacyMessage, webhookMessage],
  resources: { channel, message, member },
  methods: {
    listSearch: {
      guildSearch: async (context, filter) => {
        const guilds = await listOf(context, '/users/@me/guilds', 200);
        return searched(guilds, filter);
      },
      channelSearch: async (context, filter) => searched(await channelsOf(context, (type) => type !== 4), filter),
      categorySearch: async (context, filter) => searched(await channelsOf(context, (type) => type === 4), filter),
      userSearch: async (context, filter) => {
        const members = await listOf(context, `${guildPath(context)}/members`, 1_000);
        return searched(members.map(({ user }) => user ?? null).filter(isJsonObject), filter);
      },
    },
    loadOptions: {
      getRoles: async (context) => {
        const { results } = searched(await listOf(context, `${guildPath(context)}/roles`));
        return results.map(({ name, value }) => ({ name, value }));
      },
    },
  },
});

function listOf(context: MethodContext, path: string, size?: number): Promise<JsonObject[]> {
  const idOf = ({ id, user }: JsonObject) => id ?? (isJsonObject(user) ? user['id'] : undefined);
  const paging = size === undefined ? { list: '', next: () => undefined } : pagesById('after', size, idOf);
  return sendAll(discordClient, context, { path, ...(size !== undefined && { query: { limit: size } }) }, paging, 5_000);
}

async function channelsOf(context: MethodContext, wanted: (type: JsonValue | undefined) => boolean): Promise<JsonObject[]> {
  return (await listOf(context, `${guildPath(context)}/channels`)).filter(({ type }) => wanted(type));
}

function guildPath(context: MethodContext): string {
  return `/guilds/${encodeURIComponent(chosenId(context, 'guildId', guildUrl))}`;
}

function searched(found: readonly JsonObject[], filter = ''): ListSearchResult {
  const wanted = filter.toLowerCase();
  const results = found.map(({ id = '', name, username }) => ({ name: String(name ?? username ?? id), value: String(id) }));
  return { results: results.filter(({ name, value }) => name.toLowerCase().includes(wanted) || value === filter) };
}
