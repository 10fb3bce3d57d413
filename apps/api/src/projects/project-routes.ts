import {
  addMemberBody,
  changeMemberBody,
  createProjectBody,
  listProjectsQuery,
  memberList,
  memberView,
  type ProjectView,
  projectPage,
  projectView,
  successView,
  transferToQuery,
  updateProjectBody,
} from '@sluice/contract';
import type { Project } from '@sluice/db';
import type { Caller } from '../auth/caller.ts';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';
import { mapPage } from '../paging/page.ts';

export const projectRoutes = defineRoutes({
  listProjects: defineRoute({
    method: 'get',
    path: '/projects',
    scope: 'none',
    summary: 'List the projects that the caller can see, newest first',
    query: listProjectsQuery,
    responses: { 200: projectPage },
    reply: async ({ query, caller, services }) =>
      mapPage(await services.projects.list(query, caller), (project) => toProjectView(project, caller)),
  }),

  createProject: defineRoute({
    method: 'post',
    path: '/projects',
    scope: 'every scope',
    action: 'project.create',
    summary: 'Create a team project with the caller as its first admin; for owners and admins',
    body: createProjectBody,
    responses: { 201: projectView },
    async reply({ body, caller, services }) {
      const project = await services.projects.create(body, caller);
      return { ...toProjectView(project, caller), role: 'project:admin' as const };
    },
  }),

  getProject: defineRoute({
    method: 'get',
    path: '/projects/:id',
    scope: 'none',
    summary: 'Read a project',
    responses: { 200: projectView },
    reply: async ({ params, caller, services }) => toProjectView(await services.projects.get(params.id, caller), caller),
  }),

  updateProject: defineRoute({
    method: 'patch',
    path: '/projects/:id',
    scope: 'every scope',
    action: 'project.update',
    summary: 'Change a project',
    body: updateProjectBody,
    responses: { 200: projectView },
    async reply({ params, body, caller, services }) {
      const project = await services.projects.update(params.id, body, caller);
      return toProjectView(project, caller);
    },
  }),

  deleteProject: defineRoute({
    method: 'delete',
    path: '/projects/:id',
    scope: 'every scope',
    action: 'project.delete',
    summary: 'Delete an empty team project (transferTo empties it)',
    query: transferToQuery,
    responses: { 200: successView },
    docs: { errors: ['PROJECT_NOT_EMPTY'] },
    async reply({ params, query, caller, services }) {
      await services.projects.delete(params.id, query.transferTo, caller);
      return { success: true as const };
    },
  }),

  listProjectMembers: defineRoute({
    method: 'get',
    path: '/projects/:id/members',
    scope: 'none',
    summary: 'List the members of a project, by email',
    responses: { 200: memberList },
    reply: async ({ params, caller, services }) => services.projects.listMembers(params.id, caller),
  }),

  addProjectMember: defineRoute({
    method: 'post',
    path: '/projects/:id/members',
    scope: 'every scope',
    action: 'project.addMember',
    summary: 'Add a user, by userId or email, to a project',
    body: addMemberBody,
    responses: { 201: memberView },
    reply: async ({ params, body, caller, services }) => services.projects.addMember(params.id, body, caller),
  }),

  updateProjectMember: defineRoute({
    method: 'patch',
    path: '/projects/:id/members/:userId',
    scope: 'every scope',
    action: 'project.changeMember',
    summary: 'Change the role of a member',
    body: changeMemberBody,
    responses: { 200: memberView },
    reply: async ({ params, body, caller, services }) =>
      services.projects.changeMember(params.id, params.userId, body.role, caller),
  }),

  removeProjectMember: defineRoute({
    method: 'delete',
    path: '/projects/:id/members/:userId',
    scope: 'every scope',
    action: 'project.removeMember',
    summary: 'Remove a member from a project; members may leave',
    responses: { 200: successView },
    async reply({ params, caller, services }) {
      await services.projects.removeMember(params.id, params.userId, caller);
      return { success: true as const };
    },
  }),
});

function toProjectView({ id, name, type, weight, concurrency, createdAt, updatedAt }: Project, caller: Caller): ProjectView {
  const role = caller.projectRoles.get(id) ?? null;
  return { id, name, type, role, weight, concurrency, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
