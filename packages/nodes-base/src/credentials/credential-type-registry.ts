import type { CredentialType } from '@sluice/node-sdk';
import { baseCredentialTypes } from './base-credential-types.ts';

/** Finds credential types by name. */
export interface CredentialTypeRegistry {
  /** `undefined`: no such type. */
  find(name: string): CredentialType | undefined;
  list(): readonly CredentialType[];
}

/** The vault also seals what is no credential, under these in place of a type: the two must not be mistaken for each other. */
export const reservedCredentialNames: ReadonlySet<string> = new Set(['canary', 'consent']);

/** Throws when two types have one name, or one has a name that is reserved. */
export function createCredentialTypeRegistry(types: readonly CredentialType[] = baseCredentialTypes): CredentialTypeRegistry {
  const byName = new Map<string, CredentialType>();
  for (const type of types) {
    if (byName.has(type.name)) throw new TypeError(`two credential types are named ${type.name}`);
    if (reservedCredentialNames.has(type.name)) throw new TypeError(`no credential type may be named ${type.name}`);
    byName.set(type.name, type);
  }
  return { find: (name) => byName.get(name), list: () => types };
}
