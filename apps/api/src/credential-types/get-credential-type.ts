import { credentialTypeView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const getCredentialType = defineRoute({
  method: 'get',
  path: '/credential-types/:type',
  scope: 'credential:list',
  summary: 'Read a credential type, with its fields',
  responses: { 200: credentialTypeView },
  async handle({ params, services }) {
    return { status: 200, body: services.credentialTypes.get(params.type) };
  },
});
