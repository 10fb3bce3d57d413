import type { JsonObject, JsonValue, MethodContext } from '@sluice/node-sdk';
import { choice, choices, when, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { objectOf } from '../../shared/json-values.ts';
import { choicesFrom, matching } from '../../shared/list-choices.ts';
import { onePage, sendAll } from '../../shared/paging.ts';
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
      guildSearch: async (context, filter) => matching(choicesFrom(await listOf(context, '/users/@me/guilds', 200)), filter),
      channelSearch: async (context, filter) => matching(await channelsOf(context, (type) => type !== 4), filter),
      categorySearch: async (context, filter) => matching(await channelsOf(context, (type) => type === 4), filter),
      userSearch: async (context, filter) => {
        const members = await listOf(context, `${guildPath(context)}/members`, 1_000);
        return matching(
          choicesFrom(
            members.map(({ user }) => objectOf(user)),
            'username',
          ),
          filter,
        );
      },
    },
    loadOptions: {
      getRoles: async (context) => choicesFrom(await listOf(context, `${guildPath(context)}/roles`)),
    },
  },
});

function listOf(context: MethodContext, path: string, size?: number): Promise<JsonObject[]> {
  const idOf = ({ id, user }: JsonObject) => id ?? objectOf(user)['id'];
  const paging = size === undefined ? onePage() : pagesById('after', size, idOf);
  return sendAll(discordClient, context, { path, ...(size !== undefined && { query: { limit: size } }) }, paging, 5_000);
}

async function channelsOf(context: MethodContext, isWanted: (type: JsonValue | undefined) => boolean) {
  const channels = await listOf(context, `${guildPath(context)}/channels`);
  return choicesFrom(channels.filter(({ type }) => isWanted(type)));
}

function guildPath(context: MethodContext): string {
  return `/guilds/${encodeURIComponent(chosenId(context, 'guildId', guildUrl))}`;
}
