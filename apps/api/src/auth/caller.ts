import { Access, type AuthenticatedKey } from '@sluice/db';
import { type InstanceRole, type ProjectRole, projectRoles, roleAllows, type Scope } from '@sluice/domain';

/** Who asks, and what the key and the user's roles allow. Immutable. */
export interface Caller {
  readonly userId: string;
  readonly keyId: string;
  readonly role: InstanceRole;
  readonly scopes: ReadonlySet<Scope>;
  /** Where workflows go that name no project. */
  readonly personalProjectId: string;
  /** The projects in which the caller has at least this role. */
  readonly access: Readonly<Record<ProjectRole, Access>>;
}

export function toCaller({ id, userId, role, scopes, memberships }: AuthenticatedKey): Caller {
  const seesAll = role === 'owner' || role === 'admin';
  const accessFor = (needed: ProjectRole) =>
    new Access(seesAll ? 'all' : memberships.filter((m) => roleAllows(m.role, needed)).map((m) => m.projectId));
  const access = Object.fromEntries(projectRoles.map((needed) => [needed, accessFor(needed)])) as Record<ProjectRole, Access>;
  const personal = memberships.find((m) => m.type === 'personal' && m.role === 'project:admin');
  if (!personal) throw new Error(`user ${userId} has no personal project`);
  return { userId, keyId: id, role, scopes: new Set(scopes), personalProjectId: personal.projectId, access };
}
