import { createApiKeyBody, createdApiKey } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toApiKeyView } from './api-key-view.ts';

export const createApiKey = defineRoute({
  method: 'post',
  path: '/api-keys',
  scope: 'none',
  action: 'apiKey.create',
  summary: 'Create an API key; the whole key is shown only in this response',
  body: createApiKeyBody,
  responses: { 201: createdApiKey },
  async handle({ body, caller, services }) {
    const { key, rawKey } = await services.apiKeys.create(body, caller);
    return { status: 201, body: { ...toApiKeyView(key), rawApiKey: rawKey } };
  },
});
