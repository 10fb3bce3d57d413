import { queryOptions } from '@tanstack/react-query';
import { api, byId, call, type Schemas } from '../../data/api.ts';
import { changing } from '../../data/query-client.ts';

export type ApiKey = Schemas['ApiKey'];
export type Scope = ApiKey['scopes'][number];

export const keyList = queryOptions({
  queryKey: ['keys', 'list'],
  queryFn: () => call(api.GET('/api-keys')),
});

export const scopeList = queryOptions({
  queryKey: ['key-scopes'],
  queryFn: () => call(api.GET('/api-keys/scopes')),
  staleTime: 600_000,
});

/** Only this response contains the complete key. */
export const createKey = (body: Schemas['CreateApiKeyBody']) => changing(call(api.POST('/api-keys', { body })), 'keys');

export const updateKey = (id: string, body: Schemas['UpdateApiKeyBody']) =>
  changing(call(api.PATCH('/api-keys/{id}', { ...byId(id), body })), 'keys');

/** The next request ends the session if this was its own key. */
export const revokeKey = (id: string) => changing(call(api.DELETE('/api-keys/{id}', byId(id))), 'keys');
