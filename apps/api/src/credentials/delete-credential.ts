import { deleteCredentialQuery, deletedCredential } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const deleteCredential = defineRoute({
  method: 'delete',
  path: '/credentials/:credentialId',
  scope: 'credential:delete',
  action: 'credential.delete',
  summary: 'Delete a credential, even if it is in use, unless ifUnused is set',
  query: deleteCredentialQuery,
  responses: { 200: deletedCredential },
  docs: { errors: ['CREDENTIAL_IN_USE'] },
  async handle({ params, query, caller, services }) {
    await services.credentials.delete(params.credentialId, query, caller);
    return { status: 200, body: true as const };
  },
});
