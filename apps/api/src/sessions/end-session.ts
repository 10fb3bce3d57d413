import { successView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const endSession = defineRoute({
  method: 'delete',
  path: '/sessions/:id',
  scope: 'none',
  action: 'session.end',
  operationId: 'endSession',
  summary: 'Sign out: end a session of the caller',
  responses: { 200: successView },
  async handle({ params, caller, services }) {
    await services.sessions.end(params.id, caller);
    return { status: 200, body: { success: true as const } };
  },
});
