import { noContent, transferCredentialBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const transferCredential = defineRoute({
  method: 'put',
  path: '/credentials/:credentialId/transfer',
  scope: 'credential:update',
  action: 'credential.transfer',
  summary: 'Transfer a credential to another project; its shares end',
  body: transferCredentialBody,
  responses: { 204: noContent },
  async handle({ params, body, caller, services }) {
    await services.credentials.transfer(params.credentialId, body.destinationProjectId, caller);
    return { status: 204, body: null };
  },
});
