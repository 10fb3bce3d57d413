/** Exactly the contract's scopes, and `credential:share`. */
export const scopes = [
  'workflow:read',
  'workflow:create',
  'workflow:update',
  'workflow:delete',
  'workflow:execute',
  'workflow:list',
  'workflow:activate',
  'workflow:deactivate',
  'credential:read',
  'credential:create',
  'credential:update',
  'credential:delete',
  'credential:list',
  'credential:share',
  'execution:read',
  'execution:list',
  'execution:retry',
  'execution:stop',
  'execution:delete',
] as const;
export type Scope = (typeof scopes)[number];

export const instanceRoles = ['owner', 'admin', 'member'] as const;
export type InstanceRole = (typeof instanceRoles)[number];

/** In ascending order: each role includes the previous role. */
export const projectRoles = ['project:viewer', 'project:editor', 'project:admin'] as const;
export type ProjectRole = (typeof projectRoles)[number];

/** Whether `role` suffices where `needed` is required. */
export function roleAllows(role: ProjectRole, needed: ProjectRole): boolean {
  return projectRoles.indexOf(role) >= projectRoles.indexOf(needed);
}

/**
 * Scopes that keys of users with this instance role may have. Their project roles determine which
 * resources they can access.
 */
export const roleScopes: Readonly<Record<InstanceRole, readonly Scope[]>> = { owner: scopes, admin: scopes, member: scopes };
