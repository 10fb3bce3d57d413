import { credentialTypeSchema } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const getCredentialSchema = defineRoute({
  method: 'get',
  path: '/credentials/schema/:type',
  scope: 'credential:create',
  operationId: 'getCredentialSchema',
  summary: 'Read the JSON Schema of a credential type’s data',
  responses: { 200: credentialTypeSchema },
  async handle({ params, services }) {
    return { status: 200, body: services.credentials.schemaOf(params.type) };
  },
});
