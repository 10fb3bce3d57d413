import type { CredentialHead } from '@sluice/db';
import { ForbiddenError, type ProjectRole, type Scope } from '@sluice/domain';
import { type Caller, isInstanceAdmin } from '../auth/caller.ts';
import type { License } from '../auth/license.ts';

/** Scopes that each role in the owning project grants, besides reading. */
const scopesByRole: readonly [ProjectRole, readonly Scope[]][] = [
  ['project:editor', ['credential:update', 'credential:delete']],
  ['project:admin', ['credential:share']],
];

/** Scopes of the caller and its key on a credential that it can see. */
export function scopesFor({ projectId }: CredentialHead, caller: Caller, license: License): Scope[] {
  const granted = scopesByRole.flatMap(([role, scopes]) => (caller.access[role].includes(projectId) ? scopes : []));
  const allowed: Scope[] = ['credential:read', 'credential:list', ...granted];
  return allowed.filter((scope) => caller.scopes.has(scope) && (license === 'enterprise' || scope !== 'credential:share'));
}

/** Throws 403 unless the caller is an owner or admin of the instance (Contract 2.5). */
export function assertMayShareGlobally({ role }: Caller): void {
  if (!isInstanceAdmin(role)) throw new ForbiddenError('your role does not allow changing the global sharing of credentials');
}
