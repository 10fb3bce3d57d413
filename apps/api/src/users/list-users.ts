import { listUsersQuery, userPage } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toUserView } from './user-view.ts';

export const listUsers = defineRoute({
  method: 'get',
  path: '/users',
  scope: 'none',
  summary: 'List users, newest first; for owners and admins',
  query: listUsersQuery,
  responses: { 200: userPage },
  async handle({ query, caller, services }) {
    const { users, nextCursor } = await services.users.list(query, caller);
    return { status: 200, body: { data: users.map(toUserView), nextCursor } };
  },
});
