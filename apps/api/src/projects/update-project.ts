import { projectView, updateProjectBody } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toProjectView } from './project-view.ts';

export const updateProject = defineRoute({
  method: 'patch',
  path: '/projects/:id',
  scope: 'every scope',
  action: 'project.update',
  summary: 'Rename a project',
  body: updateProjectBody,
  responses: { 200: projectView },
  async handle({ params, body, caller, services }) {
    const project = await services.projects.rename(params.id, body.name, caller);
    return { status: 200, body: toProjectView(project, caller) };
  },
});
