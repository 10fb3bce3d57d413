import type { Resource } from '../../shared/define-service.ts';
import { listOf, memberOf, read } from './slack-client.ts';
import { listProperties, user, userOf } from './slack-properties.ts';

export const users: Resource = {
  displayName: 'User',
  initial: 'info',
  operations: {
    info: {
      displayName: 'Get',
      description: 'Gets a user',
      properties: [user()],
      run: (item) => memberOf(item.send(read('users.info', { user: userOf(item) })), 'user'),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the users',
      properties: listProperties,
      run: (item) => listOf(item, 'users.list', 'members'),
    },
    getProfile: {
      displayName: "Get User's Profile",
      description: 'Gets the profile of a user',
      properties: [user()],
      run: (item) => memberOf(item.send(read('users.profile.get', { user: userOf(item) })), 'profile'),
    },
    getPresence: {
      displayName: "Get User's Status",
      description: 'Gets whether a user is online',
      properties: [user()],
      run: (item) => item.send(read('users.getPresence', { user: userOf(item) })),
    },
  },
};
