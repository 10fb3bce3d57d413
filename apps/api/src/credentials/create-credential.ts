import { createCredentialBody, credentialView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toCredentialView } from './credential-view.ts';

export const createCredential = defineRoute({
  method: 'post',
  path: '/credentials',
  scope: 'credential:create',
  action: 'credential.create',
  summary: 'Create a credential; its data is stored encrypted',
  body: createCredentialBody,
  responses: { 201: credentialView },
  docs: { errors: ['LICENSE_REQUIRED', 'NOT_FOUND'] },
  async handle({ body, caller, services }) {
    return { status: 201, body: toCredentialView(await services.credentials.create(body, caller)) };
  },
});
