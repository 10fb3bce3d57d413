import type { CredentialType } from '@sluice/node-sdk';
import type { UncaughtErrors } from './uncaught-errors.ts';

/**
 * Attributes errors of the type's functions to its package if they have no other owner: credentials
 * are also decrypted, renewed, and tested outside of nodes.
 */
export function ownedCredentialType(type: CredentialType, uncaughtErrors: UncaughtErrors, name: string): CredentialType {
  const owned = (member: unknown): unknown =>
    typeof member === 'function'
      ? function (this: unknown, ...args: unknown[]) {
          return uncaughtErrors.runOwn({ package: name }, () => Reflect.apply(member, this, args));
        }
      : member;
  const { renewal, consent } = type;
  return mapped(
    { ...type, ...(renewal && { renewal: mapped(renewal, owned) }), ...(consent && { consent: mapped(consent, owned) }) },
    owned,
  );
}

function mapped<T extends object>(members: T, map: (member: unknown) => unknown): T {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, map(member)])) as T;
}
