import { useQuery } from '@tanstack/react-query';
import { allPages } from '../../../data/all-pages.ts';
import { api, call, type Schemas } from '../../../data/api.ts';

/** The credentials that the user may see, without their data. */
export function useCredentials() {
  return useQuery({
    queryKey: ['credentials', 'names'],
    queryFn: () => call(api.GET('/credentials')),
    staleTime: 15_000,
    // The user may come back from the tab in which a credential was created.
    refetchOnWindowFocus: 'always',
  });
}

/** The types of some credentials, with the current one. */
export function credentialTypesOf(credentials: readonly Pick<Schemas['Credential'], 'type'>[], current: string): string[] {
  const types = new Set(credentials.map(({ type }) => type));
  if (current !== '') types.add(current);
  return [...types].toSorted();
}

/** Names of credential types as people know them; the identifier until they are there. */
export function useCredentialTypeNames(): (type: string) => string {
  const { data } = useQuery({
    queryKey: ['credential-types'],
    queryFn: () =>
      allPages((position) => call(api.GET('/credential-types', { params: { query: { limit: 250, ...position } } }))),
    staleTime: 3_600_000,
  });
  return (type) => data?.find(({ name }) => name === type)?.displayName ?? type;
}
