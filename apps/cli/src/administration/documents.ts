import type { Project } from '@sluice/db';

/** A project as `--json` prints it: as in the API, without the caller's role. */
export function toProjectDocument({ createdAtUs: _, ...project }: Project): Omit<Project, 'createdAtUs'> {
  return project;
}
