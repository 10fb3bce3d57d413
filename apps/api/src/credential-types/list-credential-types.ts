import { credentialTypePage, listCredentialTypesQuery } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const listCredentialTypes = defineRoute({
  method: 'get',
  path: '/credential-types',
  scope: 'credential:list',
  summary: 'List the credential types, by name',
  query: listCredentialTypesQuery,
  responses: { 200: credentialTypePage },
  async handle({ query, services }) {
    return { status: 200, body: services.credentialTypes.list(query) };
  },
});
