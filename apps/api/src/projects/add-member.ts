import { addMemberBody, memberView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const addMember = defineRoute({
  method: 'post',
  path: '/projects/:id/members',
  scope: 'every scope',
  action: 'project.addMember',
  operationId: 'addProjectMember',
  summary: 'Add a user, by userId or email, to a project',
  body: addMemberBody,
  responses: { 201: memberView },
  async handle({ params, body, caller, services }) {
    return { status: 201, body: await services.projects.addMember(params.id, body, caller) };
  },
});
