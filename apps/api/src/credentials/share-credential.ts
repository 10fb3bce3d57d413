import { noContent, shareCredentialBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const shareCredential = defineRoute({
  method: 'put',
  path: '/credentials/:credentialId/share',
  scope: 'credential:share',
  action: 'credential.share',
  summary: 'Share a credential with exactly these projects, which may read and use it',
  body: shareCredentialBody,
  responses: { 204: noContent },
  docs: { errors: ['LICENSE_REQUIRED'] },
  async handle({ params, body, caller, services }) {
    await services.credentials.share(params.credentialId, body.shareWithIds, caller);
    return { status: 204, body: null };
  },
});
