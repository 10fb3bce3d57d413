import { memberList } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const listMembers = defineRoute({
  method: 'get',
  path: '/projects/:id/members',
  scope: 'none',
  summary: 'List the members of a project, by email',
  responses: { 200: memberList },
  async handle({ params, caller, services }) {
    return { status: 200, body: await services.projects.listMembers(params.id, caller) };
  },
});
