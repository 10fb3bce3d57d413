import { type InstanceRole, roleScopes, type Scope } from '@sluice/domain';

export type License = 'enterprise' | 'community';

/** What a key may do: what it was given, or, without an enterprise license, all that its user's role may. */
export function effectiveScopes(license: License, role: InstanceRole, given: readonly Scope[]): readonly Scope[] {
  return license === 'enterprise' ? given : roleScopes[role];
}
