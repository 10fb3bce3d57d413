import type { ProjectView } from '@sluice/contract';
import type { Project } from '@sluice/db';
import type { Caller } from '../auth/caller.ts';

export function toProjectView({ id, name, type, weight, createdAt, updatedAt }: Project, caller: Caller): ProjectView {
  const role = caller.projectRoles.get(id) ?? null;
  return { id, name, type, role, weight, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
