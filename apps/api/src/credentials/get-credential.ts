import { credentialView, getCredentialQuery } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toCredentialView } from './credential-view.ts';

export const getCredential = defineRoute({
  method: 'get',
  path: '/credentials/:credentialId',
  scope: 'credential:read',
  summary: 'Read a credential; its secrets are never shown',
  query: getCredentialQuery,
  responses: { 200: credentialView },
  async handle({ params, query, caller, services }) {
    return { status: 200, body: toCredentialView(await services.credentials.get(params.credentialId, query, caller)) };
  },
});
