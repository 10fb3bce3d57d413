import type { Project } from '@sluice/db';

/** What `--json` prints of a project: the same as the API, without the role of a caller. */
export function toProjectDocument({ createdAtUs: _, ...project }: Project): Omit<Project, 'createdAtUs'> {
  return project;
}
