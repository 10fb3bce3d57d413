import { createSessionBody, sessionView } from '@sluice/contract';
import { definePublicRoute } from '../http/define-route.ts';

export const createSession = definePublicRoute({
  method: 'post',
  path: '/sessions',
  action: 'session.create',
  operationId: 'createSession',
  summary: 'Sign in with a link of `sluice up` or `sluice users link`, which works once',
  body: createSessionBody,
  responses: { 201: sessionView },
  docs: { errors: ['UNAUTHORIZED'] },
  async handle({ body, services }) {
    const { id, rawKey, expiresAt, user } = await services.sessions.create(body.token);
    return {
      status: 201,
      body: { id, apiKey: rawKey, expiresAt: expiresAt.toISOString(), user: { id: user.id, email: user.email } },
    };
  },
});
