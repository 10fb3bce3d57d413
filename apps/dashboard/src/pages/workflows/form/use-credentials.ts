import { useQuery } from '@tanstack/react-query';
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
