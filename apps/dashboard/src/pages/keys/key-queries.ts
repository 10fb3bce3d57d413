import { queryOptions } from '@tanstack/react-query';
import { api, call, type Schemas } from '../../data/api.ts';
import { queryClient } from '../../data/query-client.ts';

export type ApiKey = Schemas['ApiKey'];
export type Scope = ApiKey['scopes'][number];

export const keyList = queryOptions({
  queryKey: ['keys', 'list'],
  queryFn: () => call(api.GET('/api-keys')),
});

export const scopeList = queryOptions({
  queryKey: ['keys', 'scopes'],
  queryFn: () => call(api.GET('/api-keys/scopes')),
  staleTime: 600_000,
});

function keysChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['keys', 'list'] });
}

/** The whole key is only in this response. */
export async function createKey(body: Schemas['CreateApiKeyBody']) {
  const created = await call(api.POST('/api-keys', { body }));
  await keysChanged();
  return created;
}

export async function updateKey(id: string, body: Schemas['UpdateApiKeyBody']) {
  await call(api.PATCH('/api-keys/{id}', { params: { path: { id } }, body }));
  await keysChanged();
}

/** The next request ends the session if this was its own key. */
export async function revokeKey(id: string) {
  await call(api.DELETE('/api-keys/{id}', { params: { path: { id } } }));
  await keysChanged();
}
