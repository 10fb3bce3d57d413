import { useQuery } from '@tanstack/react-query';
import { type Credential, credentialList, credentialTypes } from '../../../data/credentials.ts';

export function useCredentials() {
  // The user may return from the tab in which a credential was created.
  return useQuery({ ...credentialList, refetchOnWindowFocus: 'always' });
}

/** The types of some credentials, with the current one. */
export function credentialTypesOf(credentials: readonly Pick<Credential, 'type'>[], current: string): string[] {
  const types = new Set(credentials.map(({ type }) => type));
  if (current !== '') types.add(current);
  return [...types].toSorted();
}

/** Display names of credential types; the identifier until they are loaded. */
export function useCredentialTypeNames(): (type: string) => string {
  const { data } = useQuery(credentialTypes);
  return (type) => data?.find(({ name }) => name === type)?.displayName ?? type;
}
