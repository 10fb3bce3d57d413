import { projectView, updateProjectBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toProjectView } from './project-view.ts';

export const updateProject = defineRoute({
  method: 'patch',
  path: '/projects/:id',
  scope: 'every scope',
  action: 'project.update',
  summary: 'Change a project',
  body: updateProjectBody,
  responses: { 200: projectView },
  async handle({ params, body, caller, services }) {
    const project = await services.projects.update(params.id, body, caller);
    return { status: 200, body: toProjectView(project, caller) };
  },
});
