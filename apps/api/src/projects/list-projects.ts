import { listProjectsQuery, projectPage } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toProjectView } from './project-view.ts';

export const listProjects = defineRoute({
  method: 'get',
  path: '/projects',
  scope: 'none',
  summary: 'List the projects that the caller can see, newest first',
  query: listProjectsQuery,
  responses: { 200: projectPage },
  async handle({ query, caller, services }) {
    const { projects, nextCursor } = await services.projects.list(query, caller);
    return { status: 200, body: { data: projects.map((project) => toProjectView(project, caller)), nextCursor } };
  },
});
