import { successView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const removeMember = defineRoute({
  method: 'delete',
  path: '/projects/:id/members/:userId',
  scope: 'every scope',
  action: 'project.removeMember',
  operationId: 'removeProjectMember',
  summary: 'Remove a member from a project; members may leave',
  responses: { 200: successView },
  async handle({ params, caller, services }) {
    await services.projects.removeMember(params.id, params.userId, caller);
    return { status: 200, body: { success: true as const } };
  },
});
