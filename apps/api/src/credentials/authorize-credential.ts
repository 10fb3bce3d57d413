import { startedConsent } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const authorizeCredential = defineRoute({
  method: 'post',
  path: '/credentials/:credentialId/oauth2/authorize',
  scope: 'credential:update',
  action: 'credential.authorize',
  operationId: 'authorizeCredential',
  summary: 'Start an OAuth 2 consent for a credential: returns the page to open in the browser, within ten minutes',
  responses: { 200: startedConsent },
  docs: { errors: ['VALIDATION_ERROR', 'CONFLICT', 'CREDENTIAL_UNREADABLE'] },
  async handle({ params, caller, services }) {
    return { status: 200, body: await services.credentialConsents.begin(params.credentialId, caller) };
  },
});
