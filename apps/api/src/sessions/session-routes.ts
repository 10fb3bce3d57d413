import { createSessionBody, sessionView, successView } from '@sluice/contract';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';

export const sessionRoutes = defineRoutes({
  createSession: defineRoute({
    method: 'post',
    path: '/sessions',
    scope: 'public',
    action: 'session.create',
    summary: 'Sign in with a link of `sluice up` or `sluice users link`, which works once',
    body: createSessionBody,
    responses: { 201: sessionView },
    docs: { errors: ['UNAUTHORIZED'] },
    async reply({ body, services }) {
      const { id, rawKey, expiresAt, user } = await services.sessions.create(body.token);
      return { id, apiKey: rawKey, expiresAt: expiresAt.toISOString(), user: { id: user.id, email: user.email } };
    },
  }),

  endSession: defineRoute({
    method: 'delete',
    path: '/sessions/:id',
    scope: 'none',
    action: 'session.end',
    summary: 'Sign out: end a session of the caller',
    responses: { 200: successView },
    async reply({ params, caller, services }) {
      await services.sessions.end(params.id, caller);
      return { success: true as const };
    },
  }),
});
