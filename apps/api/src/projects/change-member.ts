import { changeMemberBody, memberView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const changeMember = defineRoute({
  method: 'patch',
  path: '/projects/:id/members/:userId',
  scope: 'every scope',
  action: 'project.changeMember',
  summary: 'Change the role of a member',
  body: changeMemberBody,
  responses: { 200: memberView },
  async handle({ params, body, caller, services }) {
    return { status: 200, body: await services.projects.changeMember(params.id, params.userId, body.role, caller) };
  },
});
