import type { ListSearchResult, MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { cursorPaging, sendAll } from '../../shared/paging.ts';
import { read, slackClient } from './slack-client.ts';

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

export const channels = (context: MethodContext): Promise<NodePropertyOption[]> =>
  optionsOf(context, 'conversations.list', 'channels', { types: 'public_channel,private_channel', exclude_archived: 'true' });
export const members = (context: MethodContext): Promise<NodePropertyOption[]> => optionsOf(context, 'users.list', 'members');

export async function searched(options: Promise<NodePropertyOption[]>, filter = ''): Promise<ListSearchResult> {
  const wanted = filter.toLowerCase();
  return {
    results: (await options)
      .filter(({ name, value }) => name.toLowerCase().includes(wanted) || value === filter)
      .map(({ name, value }) => ({ name, value: String(value) })),
  };
}
