import { createdUser, createUserBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toUserView } from './user-view.ts';

export const createUser = defineRoute({
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
