import { queryOptions } from '@tanstack/react-query';
import { api, call, type Schemas } from '../../data/api.ts';
import { ApiError } from '../../data/errors.ts';
import { changing } from '../../data/query-client.ts';

export type CredentialType = Schemas['CredentialType'];
export type CredentialTypeSummary = Schemas['CredentialTypeSummary'];

const hour = 3_600_000;
const path = (credentialId: string) => ({ params: { path: { credentialId } } });

export const credentialType = (type: string) =>
  queryOptions({
    queryKey: ['credential-types', type],
    queryFn: () => call(api.GET('/credential-types/{type}', { params: { path: { type } } })),
    staleTime: hour,
  });

/** With the redacted data and the caller's scopes. */
export const credential = (credentialId: string) =>
  queryOptions({
    queryKey: ['credentials', 'one', credentialId],
    queryFn: () =>
      call(
        api.GET('/credentials/{credentialId}', {
          params: { path: { credentialId }, query: { includeData: true, includeScopes: true } },
        }),
      ),
  });

export const unusedName = (name: string) => call(api.GET('/credentials/new', { params: { query: { name } } }));

export const createCredential = (body: Schemas['CreateCredentialBody']) =>
  changing(call(api.POST('/credentials', { body })), 'credentials');

export const updateCredential = (id: string, body: Schemas['UpdateCredentialBody']) =>
  changing(call(api.PATCH('/credentials/{credentialId}', { ...path(id), body })), 'credentials');

/** Deletes it only if no workflow names it, unless `force` is set. */
export function deleteCredential(credentialId: string, { force }: { force: boolean }) {
  const params = { path: { credentialId }, query: { ifUnused: !force } };
  return changing(call(api.DELETE('/credentials/{credentialId}', { params })), 'credentials');
}

export const shareCredential = (id: string, shareWithIds: string[]) =>
  changing(call(api.PUT('/credentials/{credentialId}/share', { ...path(id), body: { shareWithIds } })), 'credentials');

export const transferCredential = (id: string, destinationProjectId: string) =>
  changing(
    call(api.PUT('/credentials/{credentialId}/transfer', { ...path(id), body: { destinationProjectId } })),
    'credentials',
  );

/** Empty `id`: the data is not stored yet. */
export function testCredential(id: string, type: string, data?: Record<string, unknown>) {
  return call(api.POST('/credentials/test', { body: { credentials: { id, type, ...(data && { data }) } } }));
}

/** Returns the page where the user grants access. */
export function startConsent(id: string) {
  return call(api.POST('/credentials/{credentialId}/oauth2/authorize', path(id)));
}

/** Problems with single fields of `data`, by name. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const details = error.details.filter(({ path: at }) => at.startsWith('/data/'));
  return Object.fromEntries(details.map(({ path: at, message }) => [at.slice('/data/'.length), message]));
}
