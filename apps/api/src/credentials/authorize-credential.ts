import { startedConsent } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const authorizeCredential = defineRoute({
  method: 'post',
  path: '/credentials/:credentialId/oauth2/authorize',
  scope: 'credential:update',
  action: 'credential.authorize',
  operationId: 'authorizeCredential',
  summary: 'Let a user connect a credential at its service: the page that the browser opens, within ten minutes',
  replies: { 200: startedConsent },
  docs: { errors: ['VALIDATION_ERROR', 'CONFLICT', 'CREDENTIAL_UNREADABLE'] },
  async handle({ params, caller, services }) {
    return { status: 200, body: await services.credentialConsents.begin(params.credentialId, caller) };
  },
});
