import { successView, transferToQuery } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const deleteUser = defineRoute({
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
