import { projectView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toProjectView } from './project-view.ts';

export const getProject = defineRoute({
  method: 'get',
  path: '/projects/:id',
  scope: 'none',
  summary: 'Read a project',
  responses: { 200: projectView },
  async handle({ params, caller, services }) {
    return { status: 200, body: toProjectView(await services.projects.get(params.id, caller), caller) };
  },
});
