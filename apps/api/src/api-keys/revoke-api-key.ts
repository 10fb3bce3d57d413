import { successView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const revokeApiKey = defineRoute({
  method: 'delete',
  path: '/api-keys/:id',
  scope: 'none',
  action: 'apiKey.revoke',
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key permanently',
  responses: { 200: successView },
  async handle({ params, caller, services }) {
    await services.apiKeys.revoke(params.id, caller);
    return { status: 200, body: { success: true as const } };
  },
});
