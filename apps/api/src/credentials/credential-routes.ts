import {
  createCredentialBody,
  credentialList,
  credentialTestResult,
  credentialTypeSchema,
  credentialView,
  deleteCredentialQuery,
  deletedCredential,
  getCredentialQuery,
  listCredentialsQuery,
  newCredentialName,
  newCredentialNameQuery,
  noContent,
  shareCredentialBody,
  startedConsent,
  testCredentialBody,
  transferCredentialBody,
  updateCredentialBody,
  updatedCredential,
} from '@sluice/contract';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';
import { toCredentialView, toUpdatedCredential } from './credential-view.ts';

export const credentialRoutes = defineRoutes({
  listCredentials: defineRoute({
    method: 'get',
    path: '/credentials',
    scope: 'credential:list',
    summary: 'List the credentials that the caller may use, newest first',
    query: listCredentialsQuery,
    responses: { 200: credentialList },
    reply: async ({ query, caller, services }) => (await services.credentials.list(query, caller)).map(toCredentialView),
  }),

  createCredential: defineRoute({
    method: 'post',
    path: '/credentials',
    scope: 'credential:create',
    action: 'credential.create',
    summary: 'Create a credential; its data is stored encrypted',
    body: createCredentialBody,
    responses: { 201: credentialView },
    docs: { errors: ['LICENSE_REQUIRED', 'NOT_FOUND'] },
    reply: async ({ body, caller, services }) => toCredentialView(await services.credentials.create(body, caller)),
  }),

  getNewCredentialName: defineRoute({
    method: 'get',
    path: '/credentials/new',
    scope: 'credential:create',
    summary: 'Generate an unused credential name',
    query: newCredentialNameQuery,
    responses: { 200: newCredentialName },
    reply: async ({ query, caller, services }) => ({ name: await services.credentials.newName(query.name, caller) }),
  }),

  getCredentialSchema: defineRoute({
    method: 'get',
    path: '/credentials/schema/:type',
    scope: 'credential:create',
    summary: 'Read the JSON Schema of a credential type’s data',
    responses: { 200: credentialTypeSchema },
    reply: async ({ params, services }) => services.credentialTypes.get(params.type).schema,
  }),

  testCredential: defineRoute({
    method: 'post',
    path: '/credentials/test',
    scope: 'credential:read',
    action: 'credential.test',
    limit: 'credentialTest',
    summary: 'Test a credential at its service; missing fields are taken from the stored credential',
    body: testCredentialBody,
    responses: { 200: credentialTestResult },
    docs: { errors: ['CREDENTIAL_UNREADABLE', 'NOT_FOUND'] },
    reply: async ({ body, caller, services, signal }) => services.credentialTests.test(body, caller, signal),
  }),

  getCredential: defineRoute({
    method: 'get',
    path: '/credentials/:credentialId',
    scope: 'credential:read',
    summary: 'Read a credential; its secrets are never shown',
    query: getCredentialQuery,
    responses: { 200: credentialView },
    reply: async ({ params, query, caller, services }) =>
      toCredentialView(await services.credentials.get(params.credentialId, query, caller)),
  }),

  updateCredential: defineRoute({
    method: 'patch',
    path: '/credentials/:credentialId',
    scope: 'credential:update',
    action: 'credential.update',
    summary: 'Change a credential; `data` must be complete, and ***REDACTED*** keeps a stored value',
    body: updateCredentialBody,
    responses: { 200: updatedCredential },
    docs: { errors: ['CREDENTIAL_UNREADABLE'] },
    reply: async ({ params, body, caller, services }) =>
      toUpdatedCredential(await services.credentials.update(params.credentialId, body, caller)),
  }),

  deleteCredential: defineRoute({
    method: 'delete',
    path: '/credentials/:credentialId',
    scope: 'credential:delete',
    action: 'credential.delete',
    summary: 'Delete a credential, even if it is in use, unless ifUnused is set',
    query: deleteCredentialQuery,
    responses: { 200: deletedCredential },
    docs: { errors: ['CREDENTIAL_IN_USE'] },
    async reply({ params, query, caller, services }) {
      await services.credentials.delete(params.credentialId, query, caller);
      return true as const;
    },
  }),

  authorizeCredential: defineRoute({
    method: 'post',
    path: '/credentials/:credentialId/oauth2/authorize',
    scope: 'credential:update',
    action: 'credential.authorize',
    summary: 'Start an OAuth 2 consent for a credential: returns the page to open in the browser, within ten minutes',
    responses: { 200: startedConsent },
    docs: { errors: ['VALIDATION_ERROR', 'CONFLICT', 'CREDENTIAL_UNREADABLE'] },
    reply: async ({ params, caller, services }) => services.credentialConsents.begin(params.credentialId, caller),
  }),

  shareCredential: defineRoute({
    method: 'put',
    path: '/credentials/:credentialId/share',
    scope: 'credential:share',
    action: 'credential.share',
    summary: 'Share a credential with exactly these projects, which may read and use it',
    body: shareCredentialBody,
    responses: { 204: noContent },
    docs: { errors: ['LICENSE_REQUIRED'] },
    async reply({ params, body, caller, services }) {
      await services.credentials.share(params.credentialId, body.shareWithIds, caller);
      return null;
    },
  }),

  transferCredential: defineRoute({
    method: 'put',
    path: '/credentials/:credentialId/transfer',
    scope: 'credential:update',
    action: 'credential.transfer',
    summary: 'Transfer a credential to another project; its shares end',
    body: transferCredentialBody,
    responses: { 204: noContent },
    async reply({ params, body, caller, services }) {
      await services.credentials.transfer(params.credentialId, body.destinationProjectId, caller);
      return null;
    },
  }),
});
