/** The contract's scopes, exactly, and `credential:share`. */
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

/** In rising order: each may do all that the one before may. */
export const projectRoles = ['project:viewer', 'project:editor', 'project:admin'] as const;
export type ProjectRole = (typeof projectRoles)[number];

/** Whether `held` allows what asks for `needed`. */
export function roleAllows(held: ProjectRole, needed: ProjectRole): boolean {
  return projectRoles.indexOf(held) >= projectRoles.indexOf(needed);
}

/** What keys of users with this instance role may hold. What they may reach, their project roles decide. */
export const roleScopes: Readonly<Record<InstanceRole, readonly Scope[]>> = { owner: scopes, admin: scopes, member: scopes };
