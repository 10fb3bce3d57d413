import { apiKeyList } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toApiKeyView } from './api-key-view.ts';

export const listApiKeys = defineRoute({
  method: 'get',
  path: '/api-keys',
  scope: 'none',
  summary: 'List the caller’s API keys, newest first',
  responses: { 200: apiKeyList },
  async handle({ caller, services }) {
    const keys = await services.apiKeys.list(caller);
    return { status: 200, body: keys.map(toApiKeyView) };
  },
});
