import { scopeList } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const listScopes = defineRoute({
  method: 'get',
  path: '/api-keys/scopes',
  scope: 'none',
  operationId: 'listScopes',
  summary: 'List the scopes available to keys of the caller’s role',
  responses: { 200: scopeList },
  async handle({ caller, services }) {
    return { status: 200, body: services.apiKeys.availableScopes(caller) };
  },
});
