import {
  createdUser,
  createUserBody,
  listUsersQuery,
  successView,
  transferToQuery,
  updateUserBody,
  userPage,
  userView,
} from '@sluice/contract';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';
import { mapPage } from '../paging/page.ts';
import { toUserView } from '../views.ts';

export const userRoutes = defineRoutes({
  listUsers: defineRoute({
    method: 'get',
    path: '/users',
    scope: 'none',
    summary: 'List users, newest first; for owners and admins',
    query: listUsersQuery,
    responses: { 200: userPage },
    reply: async ({ query, caller, services }) => mapPage(await services.users.list(query, caller), toUserView),
  }),

  createUser: defineRoute({
    method: 'post',
    path: '/users',
    scope: 'every scope',
    action: 'user.create',
    summary: 'Create a user with a personal project and, on request, a first key; for owners and admins',
    body: createUserBody,
    responses: { 201: createdUser },
    async reply({ body, caller, services }) {
      const { user, rawKey } = await services.users.create(body, caller);
      const view = { ...toUserView(user), ...(rawKey === undefined ? {} : { rawApiKey: rawKey }) };
      return view;
    },
  }),

  getUser: defineRoute({
    method: 'get',
    path: '/users/:id',
    scope: 'none',
    summary: 'Read a user: the caller or, for owners and admins, any user',
    responses: { 200: userView },
    reply: async ({ params, caller, services }) => toUserView(await services.users.get(params.id, caller)),
  }),

  updateUser: defineRoute({
    method: 'patch',
    path: '/users/:id',
    scope: 'every scope',
    action: 'user.update',
    summary: 'Change the email or the role of a user; for owners and admins',
    body: updateUserBody,
    responses: { 200: userView },
    reply: async ({ params, body, caller, services }) => toUserView(await services.users.update(params.id, body, caller)),
  }),

  deleteUser: defineRoute({
    method: 'delete',
    path: '/users/:id',
    scope: 'every scope',
    action: 'user.delete',
    summary:
      'Delete a user with an empty personal project (transferTo empties it), and revoke their keys; for owners and admins',
    query: transferToQuery,
    responses: { 200: successView },
    docs: { errors: ['PROJECT_NOT_EMPTY'] },
    async reply({ params, query, caller, services }) {
      await services.users.delete(params.id, query.transferTo, caller);
      return { success: true as const };
    },
  }),
});
