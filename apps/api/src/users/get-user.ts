import { userView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toUserView } from './user-view.ts';

export const getUser = defineRoute({
  method: 'get',
  path: '/users/:id',
  scope: 'none',
  summary: 'Read a user: the caller or, for owners and admins, any user',
  responses: { 200: userView },
  async handle({ params, caller, services }) {
    return { status: 200, body: toUserView(await services.users.get(params.id, caller)) };
  },
});
