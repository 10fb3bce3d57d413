import { queryOptions } from '@tanstack/react-query';
import { allPages } from './all-pages.ts';
import { api, call, type Schemas } from './api.ts';

export type Project = Schemas['Project'];

/** Every project that the user can see. */
export const projectList = queryOptions({
  queryKey: ['projects', 'list'],
  queryFn: () => allPages((query) => call(api.GET('/projects', { params: { query } }))),
});

/**
 * ID of the user's personal project, which identifies the user. Admins also see other users'
 * personal projects, without a role in them.
 */
export function ownProjectId(projects: readonly Project[]): string | undefined {
  return projects.find(({ type, role }) => type === 'personal' && role !== null)?.id;
}

/** A personal project has the email of its user as its name. */
export function labelOf({ name, type }: Pick<Project, 'name' | 'type'>): string {
  return type === 'personal' ? `${name} (personal)` : name;
}

const order = ['project:viewer', 'project:editor', 'project:admin'] as const;
export type ProjectRole = (typeof order)[number];

/**
 * Roles ascend: each includes the ones before it. The service lists projects in which the user has
 * no role only for owners and admins of the instance, who may do everything.
 */
export function hasRole({ role }: Pick<Project, 'role'>, needed: ProjectRole): boolean {
  return role === null || order.indexOf(role) >= order.indexOf(needed);
}
