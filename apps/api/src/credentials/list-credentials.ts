import { credentialList, listCredentialsQuery } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toCredentialView } from './credential-view.ts';

export const listCredentials = defineRoute({
  method: 'get',
  path: '/credentials',
  scope: 'credential:list',
  summary: 'List the credentials that the caller may use, newest first',
  query: listCredentialsQuery,
  responses: { 200: credentialList },
  async handle({ query, caller, services }) {
    return { status: 200, body: (await services.credentials.list(query, caller)).map(toCredentialView) };
  },
});
