import type { JsonObject, MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { textOf } from '../../shared/json-values.ts';
import { onePage, sendAll } from '../../shared/paging.ts';
import { chosenId } from '../../shared/service-item.ts';
import { channel } from './channel.ts';
import { mattermostClient, pageSize, pages } from './mattermost-client.ts';
import { message } from './message.ts';
import { reaction, user } from './user.ts';

export const mattermost = defineService({
  displayName: 'Mattermost',
  name: 'mattermost',
  version: 1,
  description: 'Posts messages to Mattermost, and manages channels, reactions, and users',
  credentials: [{ name: 'mattermostApi', required: true }],
  icon: 'fa:comments',
  iconColor: 'blue',
  client: mattermostClient,
  resources: { channel, message, reaction, user },
  initial: 'message',
  methods: {
    loadOptions: {
      getChannels: channelsOfUser,
      getChannelsInTeam: async (context) =>
        (await listOf(context, `/users/me/teams/${encodeURIComponent(chosenId(context, 'teamId'))}/channels`)).map(
          channelOption,
        ),
      getTeams: async (context) =>
        (await listOf(context, '/users/me/teams')).map(({ id, display_name: name }) => optionOf(name, id)),
      getUsers: async (context) => (await listOf(context, '/users')).map(({ id, username }) => optionOf(username, id)),
    },
  },
});

const optionOf = (name: unknown, id: unknown): NodePropertyOption => ({
  name: textOf(name as never),
  value: textOf(id as never),
});

const channelOption = ({ id, display_name: name, name: shortName, type }: JsonObject): NodePropertyOption =>
  optionOf(`${textOf(name) || textOf(shortName)} (${type === 'P' ? 'private' : 'public'})`, id);

/** Direct messages have no name. */
async function channelsOfUser(context: MethodContext): Promise<NodePropertyOption[]> {
  const records = await listOf(context, '/users/me/channels');
  return records.filter(({ type }) => type === 'O' || type === 'P').map(channelOption);
}

/** Maximum number of choices in an editor. */
const maxOptions = 5_000;

function listOf(context: MethodContext, path: string): Promise<JsonObject[]> {
  const isPaged = path === '/users';
  const query = isPaged ? { page: 0, per_page: pageSize } : {};
  const paging = isPaged ? pages(pageSize) : onePage();
  return sendAll(mattermostClient, context, { path, query }, paging, maxOptions);
}
