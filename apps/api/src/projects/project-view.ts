import type { ProjectView } from '@sluice/contract';
import type { Project } from '@sluice/db';
import type { Caller } from '../auth/caller.ts';

export function toProjectView(
  { id, name, type, weight, concurrency, createdAt, updatedAt }: Project,
  caller: Caller,
): ProjectView {
  const role = caller.projectRoles.get(id) ?? null;
  return { id, name, type, role, weight, concurrency, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
