import { Access, type AuthenticatedKey } from '@sluice/db';
import { ForbiddenError, type InstanceRole, type ProjectRole, projectRoles, roleAllows, type Scope } from '@sluice/domain';

/** The user behind a request, with the rights of the key and of the user's roles. Immutable. */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly keyId: string;
  /** Whether the key belongs to a session: the user is signed in, as with a password elsewhere. */
  readonly isSession: boolean;
  readonly role: InstanceRole;
  readonly scopes: ReadonlySet<Scope>;
  /** Default project of new workflows. */
  readonly personalProjectId: string;
  /** Role of the caller in each of its projects. */
  readonly projectRoles: ReadonlyMap<string, ProjectRole>;
  /** The projects in which the caller has at least this role. */
  readonly access: Readonly<Record<ProjectRole, Access>>;
}

/** @param scopes scopes of the key; the license may have extended them. */
export function toCaller(
  { id, userId, email, role, isSession, memberships }: AuthenticatedKey,
  scopes: readonly Scope[],
): Caller {
  const accessFor = (needed: ProjectRole) =>
    new Access(isInstanceAdmin(role) ? 'all' : memberships.filter((m) => roleAllows(m.role, needed)).map((m) => m.projectId));
  const access = Object.fromEntries(projectRoles.map((needed) => [needed, accessFor(needed)])) as Record<ProjectRole, Access>;
  const personal = memberships.find((m) => m.isPersonal);
  if (!personal) throw new Error(`user ${userId} has no personal project`);
  return {
    userId,
    email,
    keyId: id,
    isSession,
    role,
    scopes: new Set(scopes),
    personalProjectId: personal.projectId,
    projectRoles: new Map(memberships.map((m) => [m.projectId, m.role])),
    access,
  };
}

/**
 * The key whose scopes and expiry limit the keys that this caller creates: its own key. Keys
 * created in a session have no such limit.
 */
export function parentKeyOf({ keyId, isSession }: Caller): string | undefined {
  return isSession ? undefined : keyId;
}

/** Owners and admins may see and do everything. */
export function isInstanceAdmin(role: InstanceRole): boolean {
  return role === 'owner' || role === 'admin';
}

/** Throws `ForbiddenError` unless the role is owner or admin. */
export function assertInstanceAdmin({ role }: Caller): void {
  if (!isInstanceAdmin(role)) throw new ForbiddenError('this requires the role owner or admin');
}
