import { credentialTestResult, testCredentialBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const testCredential = defineRoute({
  method: 'post',
  path: '/credentials/test',
  scope: 'credential:read',
  action: 'credential.test',
  limit: 'credentialTest',
  summary: 'Test a credential at its service; missing fields are taken from the stored credential',
  body: testCredentialBody,
  responses: { 200: credentialTestResult },
  docs: { errors: ['CREDENTIAL_UNREADABLE', 'NOT_FOUND'] },
  async handle({ body, caller, services, signal }) {
    return { status: 200, body: await services.credentialTests.test(body, caller, signal) };
  },
});
