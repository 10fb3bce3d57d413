import { apiKeyList, createApiKeyBody, createdApiKey, scopeList, successView, updateApiKeyBody } from '@sluice/contract';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';
import { toApiKeyView } from '../views.ts';

export const apiKeyRoutes = defineRoutes({
  listApiKeys: defineRoute({
    method: 'get',
    path: '/api-keys',
    scope: 'none',
    summary: 'List the caller’s API keys, newest first',
    responses: { 200: apiKeyList },
    async reply({ caller, services }) {
      const keys = await services.apiKeys.list(caller);
      return keys.map(toApiKeyView);
    },
  }),

  createApiKey: defineRoute({
    method: 'post',
    path: '/api-keys',
    scope: 'none',
    action: 'apiKey.create',
    summary: 'Create an API key; the whole key is shown only in this response',
    body: createApiKeyBody,
    responses: { 201: createdApiKey },
    async reply({ body, caller, services }) {
      const { key, rawKey } = await services.apiKeys.create(body, caller);
      return { ...toApiKeyView(key), rawApiKey: rawKey };
    },
  }),

  listScopes: defineRoute({
    method: 'get',
    path: '/api-keys/scopes',
    scope: 'none',
    summary: 'List the scopes available to keys of the caller’s role',
    responses: { 200: scopeList },
    reply: async ({ caller, services }) => services.apiKeys.availableScopes(caller),
  }),

  updateApiKey: defineRoute({
    method: 'patch',
    path: '/api-keys/:id',
    scope: 'none',
    action: 'apiKey.update',
    summary: 'Change the label or the scopes of an API key',
    body: updateApiKeyBody,
    responses: { 200: successView },
    async reply({ params, body, caller, services }) {
      await services.apiKeys.update(params.id, body, caller);
      return { success: true as const };
    },
  }),

  revokeApiKey: defineRoute({
    method: 'delete',
    path: '/api-keys/:id',
    scope: 'none',
    action: 'apiKey.revoke',
    summary: 'Revoke an API key permanently',
    responses: { 200: successView },
    async reply({ params, caller, services }) {
      await services.apiKeys.revoke(params.id, caller);
      return { success: true as const };
    },
  }),
});
