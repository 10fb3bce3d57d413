import { createProjectBody, projectView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toProjectView } from './project-view.ts';

export const createProject = defineRoute({
  method: 'post',
  path: '/projects',
  scope: 'every scope',
  action: 'project.create',
  summary: 'Create a team project with the caller as its first admin; for owners and admins',
  body: createProjectBody,
  responses: { 201: projectView },
  async handle({ body, caller, services }) {
    const project = await services.projects.create(body, caller);
    return { status: 201, body: { ...toProjectView(project, caller), role: 'project:admin' as const } };
  },
});
