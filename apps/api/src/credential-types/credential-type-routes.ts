import { credentialTypePage, credentialTypeView, listCredentialTypesQuery } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

const listCredentialTypes = defineRoute({
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

const getCredentialType = defineRoute({
  method: 'get',
  path: '/credential-types/:type',
  scope: 'credential:list',
  summary: 'Read a credential type, with its fields',
  responses: { 200: credentialTypeView },
  async handle({ params, services }) {
    return { status: 200, body: services.credentialTypes.get(params.type) };
  },
});

export const credentialTypeRoutes = [listCredentialTypes, getCredentialType];
