import type { Project } from '@sluice/db';

/** `--json` output of a project: the same as in the API, without the role of a caller. */
export function toProjectDocument({ createdAtUs: _, ...project }: Project): Omit<Project, 'createdAtUs'> {
  return project;
}
