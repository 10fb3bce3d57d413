import type { MethodContext, NodePropertyOption, NodeType } from '@sluice/node-sdk';
import { choicesFrom, matching } from '../../shared/list-choices.ts';
import { cursorPaging, sendAll } from '../../shared/paging.ts';
import { read, slackClient } from './slack-client.ts';

/** Choices of a list, by name. */
async function optionsOf(
  context: MethodContext,
  method: string,
  list: string,
  query: Record<string, string> = {},
): Promise<NodePropertyOption[]> {
  const records = await sendAll(
    slackClient,
    context,
    read(method, { ...query, limit: 1_000 }),
    cursorPaging(list, 'response_metadata.next_cursor', 'cursor'),
    5_000,
  );
  return choicesFrom(records).sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

const channels = (context: MethodContext) =>
  optionsOf(context, 'conversations.list', 'channels', { types: 'public_channel,private_channel', exclude_archived: 'true' });
const members = (context: MethodContext) => optionsOf(context, 'users.list', 'members');

/** The channels and members of the workspace, for editors. */
export const listMethods = {
  loadOptions: { getChannels: channels, getUsers: members },
  listSearch: {
    getChannels: async (context, filter) => matching(await channels(context), filter),
    getUsers: async (context, filter) => matching(await members(context), filter),
  },
} satisfies NodeType['methods'];
