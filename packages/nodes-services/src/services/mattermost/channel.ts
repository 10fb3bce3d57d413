import { choice, choices, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { objectsOf, textOf } from '../../shared/json-values.ts';
import { onePage } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { listed, part } from './mattermost-client.ts';
import { channelId, channelInTeam, listProperties, teamId, userId } from './mattermost-properties.ts';

const channelPath = (item: ServiceItem) => `/channels/${part(item, 'channelId')}`;

/** https://developers.mattermost.com/api-documentation/#/operations/CreateChannel */
export const channel: Resource = {
  displayName: 'Channel',
  initial: 'create',
  operations: {
    addUser: {
      displayName: 'Add User',
      description: 'Adds a user to a channel',
      properties: [channelId, userId],
      run: (item) => item.send({ path: `${channelPath(item)}/members`, json: { user_id: item.id('userId') } }),
    },
    create: {
      displayName: 'Create',
      description: 'Creates a channel',
      properties: [
        teamId,
        text('displayName', 'Display Name', 'Name that users see', { required: true }),
        text('channel', 'Name', 'Name in addresses: lower-case letters, digits, and hyphens', { required: true }),
        choice('type', 'Type', choices(['private', 'Private'], ['public', 'Public']), { default: 'public' }),
      ],
      run: (item) =>
        item.send({
          path: '/channels',
          json: {
            team_id: item.id('teamId'),
            display_name: item.required('displayName'),
            name: item.required('channel'),
            type: item.text('type', 'public') === 'private' ? 'P' : 'O',
          },
        }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Archives a channel',
      properties: [channelId],
      run: (item) => item.send({ method: 'DELETE', path: channelPath(item) }),
    },
    members: {
      displayName: 'Member',
      description: 'Lists the members of a channel',
      properties: [
        teamId,
        channelInTeam,
        toggle('resolveData', 'Resolve Data', 'Whether to return the users instead of their memberships', { default: true }),
        ...listProperties,
      ],
      run: members,
    },
    restore: {
      displayName: 'Restore',
      description: 'Restores an archived channel',
      properties: [{ ...channelId, typeOptions: {}, displayName: 'Channel ID' }],
      run: (item) => item.send({ method: 'POST', path: `${channelPath(item)}/restore` }),
    },
    search: {
      displayName: 'Search',
      description: 'Finds channels of a team by their names',
      properties: [teamId, text('term', 'Search Term', 'Part of the name', { required: true }), ...listProperties],
      run: (item) =>
        item.list(
          { path: `/teams/${part(item, 'teamId')}/channels/search`, json: { term: item.required('term') } },
          onePage(),
          item.limit(100),
        ),
    },
    statistics: {
      displayName: 'Statistics',
      description: 'Counts the members of a channel',
      properties: [teamId, channelInTeam],
      run: (item) => item.send({ path: `${channelPath(item)}/stats` }),
    },
  },
};

/** The users in a request, by ID. */
const usersPerRequest = 100;

async function members(item: ServiceItem) {
  const records = await listed(item, `${channelPath(item)}/members`);
  if (!item.toggle('resolveData', true)) return records;
  const ids = records.map(({ user_id: id }) => textOf(id));
  const users = [];
  for (let start = 0; start < ids.length; start += usersPerRequest) {
    const page = await item.send({ path: '/users/ids', json: ids.slice(start, start + usersPerRequest) });
    for (const user of objectsOf(page)) users.push(user);
  }
  return users;
}
