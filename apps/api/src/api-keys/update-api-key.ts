import { successView, updateApiKeyBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const updateApiKey = defineRoute({
  method: 'patch',
  path: '/api-keys/:id',
  scope: 'none',
  action: 'apiKey.update',
  summary: 'Change the label or the scopes of an API key',
  body: updateApiKeyBody,
  responses: { 200: successView },
  async handle({ params, body, caller, services }) {
    await services.apiKeys.update(params.id, body, caller);
    return { status: 200, body: { success: true as const } };
  },
});
