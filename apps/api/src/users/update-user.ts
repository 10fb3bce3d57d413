import { updateUserBody, userView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toUserView } from './user-view.ts';

export const updateUser = defineRoute({
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
