import type { ListSearchResult, MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { cursorPaging, sendAll } from '../../shared/paging.ts';
import { conversations } from './channel.ts';
import { file } from './file.ts';
import { message } from './message.ts';
import { reaction } from './reaction.ts';
import { read, slackClient } from './slack-client.ts';
import { users } from './user.ts';

/** Options of a list, by name. */
async function optionsOf(
  context: MethodContext,
  method: string,
  list: string,
  query: Record<string, string> = {},
): Promise<NodePropertyOption[]> {
  const found = await sendAll(
    slackClient,
    context,
    read(method, { ...query, limit: 1_000 }),
    cursorPaging(list, 'response_metadata.next_cursor', 'cursor'),
    5_000,
  );
  const options = found.map(({ id = '', name = '' }) => ({ name: String(name), value: String(id) }));
  return options.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

const channels = (context: MethodContext) =>
  optionsOf(context, 'conversations.list', 'channels', { types: 'public_channel,private_channel', exclude_archived: 'true' });
const members = (context: MethodContext) => optionsOf(context, 'users.list', 'members');

async function searched(options: Promise<NodePropertyOption[]>, filter = ''): Promise<ListSearchResult> {
  const wanted = filter.toLowerCase();
  return { results: (await options).filter(({ name, value }) => name.toLowerCase().includes(wanted) || value === filter) };
}

export const slack = defineService({
  displayName: 'Slack',
  name: 'slack',
  version: [2, 2.1, 2.2, 2.3, 2.4],
  description: 'Sends messages and files to Slack, and reads channels, users, and reactions',
  credentials: [
    { name: 'slackApi', required: true, ...where({ authentication: ['accessToken'] }) },
    { name: 'slackOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
  ],
  icon: 'fa:hashtag',
  iconColor: 'purple',
  client: slackClient,
  leading: [choice('authentication', 'Authentication', choices(['accessToken', 'Access Token'], ['oAuth2', 'OAuth2']))],
  resources: { channel: conversations, file, message, reaction, user: users },
  initial: 'message',
  methods: {
    loadOptions: { getChannels: channels, getUsers: members },
    listSearch: {
      getChannels: (context, filter) => searched(channels(context), filter),
      getUsers: (context, filter) => searched(members(context), filter),
    },
  },
});
