import { queryOptions } from '@tanstack/react-query';
import { allPages } from './all-pages.ts';
import { api, call, type Schemas } from './api.ts';

export type Credential = Schemas['Credential'];

/** The credentials that the user may see, without their data. */
export const credentialList = queryOptions({
  queryKey: ['credentials', 'list'],
  queryFn: () => call(api.GET('/credentials')),
});

export const credentialTypes = queryOptions({
  queryKey: ['credential-types'],
  queryFn: () => allPages((query) => call(api.GET('/credential-types', { params: { query } }))),
  staleTime: 3_600_000,
});
