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
import { defineRoute } from '../http/define-route.ts';
import { toUserView } from './user-view.ts';

const listUsers = defineRoute({
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

const createUser = defineRoute({
  method: 'post',
  path: '/users',
  scope: 'every scope',
  action: 'user.create',
  summary: 'Create a user with a personal project and, on request, a first key; for owners and admins',
  body: createUserBody,
  responses: { 201: createdUser },
  async handle({ body, caller, services }) {
    const { user, rawKey } = await services.users.create(body, caller);
    const view = { ...toUserView(user), ...(rawKey === undefined ? {} : { rawApiKey: rawKey }) };
    return { status: 201, body: view };
  },
});

const getUser = defineRoute({
  method: 'get',
  path: '/users/:id',
  scope: 'none',
  summary: 'Read a user: the caller or, for owners and admins, any user',
  responses: { 200: userView },
  async handle({ params, caller, services }) {
    return { status: 200, body: toUserView(await services.users.get(params.id, caller)) };
  },
});

const updateUser = defineRoute({
  method: 'patch',
  path: '/users/:id',
  scope: 'every scope',
  action: 'user.update',
  summary: 'Change the email or the role of a user; for owners and admins',
  body: updateUserBody,
  responses: { 200: userView },
  async handle({ params, body, caller, services }) {
    return { status: 200, body: toUserView(await services.users.update(params.id, body, caller)) };
  },
});

const deleteUser = defineRoute({
  method: 'delete',
  path: '/users/:id',
  scope: 'every scope',
  action: 'user.delete',
  summary: 'Delete a user with an empty personal project (transferTo empties it), and revoke their keys; for owners and admins',
  query: transferToQuery,
  responses: { 200: successView },
  docs: { errors: ['PROJECT_NOT_EMPTY'] },
  async handle({ params, query, caller, services }) {
    await services.users.delete(params.id, query.transferTo, caller);
    return { status: 200, body: { success: true as const } };
  },
});

export const userRoutes = [listUsers, createUser, getUser, updateUser, deleteUser];
