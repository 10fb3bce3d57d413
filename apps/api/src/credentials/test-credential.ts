import { credentialTestResult, testCredentialBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const testCredential = defineRoute({
  method: 'post',
  path: '/credentials/test',
  scope: 'credential:read',
  action: 'credential.test',
  limit: 'credentialTest',
  summary: 'Try a credential out at its service; fields that are not given are those that are stored',
  body: testCredentialBody,
  replies: { 200: credentialTestResult },
  docs: { errors: ['CREDENTIAL_UNREADABLE', 'NOT_FOUND'] },
  async handle({ body, caller, services, signal }) {
    return { status: 200, body: await services.credentialTests.test(body, caller, signal) };
  },
});
