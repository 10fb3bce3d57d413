import { credentialTypePage, credentialTypeView, listCredentialTypesQuery } from '@sluice/contract';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';

export const credentialTypeRoutes = defineRoutes({
  listCredentialTypes: defineRoute({
    method: 'get',
    path: '/credential-types',
    scope: 'credential:list',
    summary: 'List the credential types, by name',
    query: listCredentialTypesQuery,
    responses: { 200: credentialTypePage },
    reply: async ({ query, services }) => services.credentialTypes.list(query),
  }),

  getCredentialType: defineRoute({
    method: 'get',
    path: '/credential-types/:type',
    scope: 'credential:list',
    summary: 'Read a credential type, with its fields',
    responses: { 200: credentialTypeView },
    reply: async ({ params, services }) => services.credentialTypes.get(params.type),
  }),
});
