import { updateCredentialBody, updatedCredential } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toUpdatedCredential } from './credential-view.ts';

export const updateCredential = defineRoute({
  method: 'patch',
  path: '/credentials/:credentialId',
  scope: 'credential:update',
  action: 'credential.update',
  summary: 'Change a credential; `data` must be complete, and ***REDACTED*** keeps a stored value',
  body: updateCredentialBody,
  responses: { 200: updatedCredential },
  docs: { errors: ['CREDENTIAL_UNREADABLE'] },
  async handle({ params, body, caller, services }) {
    return { status: 200, body: toUpdatedCredential(await services.credentials.update(params.credentialId, body, caller)) };
  },
});
