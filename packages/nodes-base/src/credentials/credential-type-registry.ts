import type { CredentialType } from '@sluice/node-sdk';
import { baseCredentialTypes } from './base-credential-types.ts';
import { type OwnApiAccess, withOwnApi } from './with-own-api.ts';

/** Finds credential types by name. */
export interface CredentialTypeRegistry {
  /** `undefined` if no such type exists. */
  find(name: string): CredentialType | undefined;
  list(): readonly CredentialType[];
}

/**
 * Names under which the vault seals values that are not credentials; a credential type with such a
 * name could be mistaken for them.
 */
export const reservedCredentialNames: ReadonlySet<string> = new Set(['canary', 'consent']);

/**
 * Types of Sluice and of packages; a package's type replaces the Sluice type with the same name.
 */
export function withPackageTypes(
  builtIn: readonly CredentialType[],
  others: readonly CredentialType[],
): readonly CredentialType[] {
  const replaced = new Set(others.map(({ name }) => name));
  return [...builtIn.filter(({ name }) => !replaced.has(name)), ...others];
}

/**
 * Throws if two types share a name or a name is reserved.
 *
 * @param ownApi the public API of this service, for types with `ownApiField`.
 */
export function createCredentialTypeRegistry(
  sources: readonly CredentialType[] = baseCredentialTypes,
  ownApi?: OwnApiAccess,
): CredentialTypeRegistry {
  const types = ownApi === undefined ? sources : sources.map((type) => withOwnApi(type, ownApi));
  const byName = new Map<string, CredentialType>();
  for (const type of types) {
    if (byName.has(type.name)) throw new TypeError(`two credential types have the name ${type.name}`);
    if (reservedCredentialNames.has(type.name)) throw new TypeError(`a credential type cannot have the name ${type.name}`);
    byName.set(type.name, type);
  }
  return { find: (name) => byName.get(name), list: () => types };
}
