import type { CredentialType } from '@sluice/node-sdk';
import { baseCredentialTypes } from './base-credential-types.ts';

/** Finds credential types by name. */
export interface CredentialTypeRegistry {
  /** `undefined`: no such type. */
  find(name: string): CredentialType | undefined;
  list(): readonly CredentialType[];
}

/** Throws when two types have one name. */
export function createCredentialTypeRegistry(types: readonly CredentialType[] = baseCredentialTypes): CredentialTypeRegistry {
  const byName = new Map<string, CredentialType>();
  for (const type of types) {
    if (byName.has(type.name)) throw new TypeError(`two credential types are named ${type.name}`);
    byName.set(type.name, type);
  }
  return { find: (name) => byName.get(name), list: () => types };
}
