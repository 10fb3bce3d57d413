import { queryOptions } from '@tanstack/react-query';
import { api, byId, call, type Schemas } from '../../data/api.ts';
import type { ProjectRole } from '../../data/projects.ts';
import { changing } from '../../data/query-client.ts';

export type Member = Schemas['ProjectMember'];

export const project = (id: string) =>
  queryOptions({ queryKey: ['projects', 'one', id], queryFn: () => call(api.GET('/projects/{id}', byId(id))) });

export const memberList = (id: string) =>
  queryOptions({ queryKey: ['projects', 'members', id], queryFn: () => call(api.GET('/projects/{id}/members', byId(id))) });

export const createProject = (name: string) => changing(call(api.POST('/projects', { body: { name } })), 'projects');

export const updateProject = (id: string, body: Schemas['UpdateProjectBody']) =>
  changing(call(api.PATCH('/projects/{id}', { ...byId(id), body })), 'projects');

export function deleteProject(id: string, transferTo: string | undefined) {
  const params = { path: { id }, query: { ...(transferTo !== undefined && { transferTo }) } };
  return changing(call(api.DELETE('/projects/{id}', { params })), 'projects');
}

export const addMember = (id: string, email: string, role: ProjectRole) =>
  changing(call(api.POST('/projects/{id}/members', { ...byId(id), body: { email, role } })), 'projects');

const memberPath = ({ projectId, userId }: Member) => ({ params: { path: { id: projectId, userId } } });

export const changeMember = (member: Member, role: ProjectRole) =>
  changing(call(api.PATCH('/projects/{id}/members/{userId}', { ...memberPath(member), body: { role } })), 'projects');

export const removeMember = (member: Member) =>
  changing(call(api.DELETE('/projects/{id}/members/{userId}', memberPath(member))), 'projects');
