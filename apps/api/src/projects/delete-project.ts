import { successView, transferToQuery } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const deleteProject = defineRoute({
  method: 'delete',
  path: '/projects/:id',
  scope: 'every scope',
  action: 'project.delete',
  summary: 'Delete an empty team project (transferTo empties it)',
  query: transferToQuery,
  responses: { 200: successView },
  docs: { errors: ['PROJECT_NOT_EMPTY'] },
  async handle({ params, query, caller, services }) {
    await services.projects.delete(params.id, query.transferTo, caller);
    return { status: 200, body: { success: true as const } };
  },
});
