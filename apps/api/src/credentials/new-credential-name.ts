import { newCredentialNameQuery, newCredentialName as newName } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const newCredentialName = defineRoute({
  method: 'get',
  path: '/credentials/new',
  scope: 'credential:create',
  operationId: 'getNewCredentialName',
  summary: 'Generate an unused credential name',
  query: newCredentialNameQuery,
  responses: { 200: newName },
  async handle({ query, caller, services }) {
    return { status: 200, body: { name: await services.credentials.newName(query.name, caller) } };
  },
});
