import { queryOptions } from '@tanstack/react-query';
import { api, call, type Schemas } from '../../data/api.ts';
import type { ProjectRole } from '../../data/projects.ts';
import { queryClient } from '../../data/query-client.ts';

export type Member = Schemas['ProjectMember'];

const path = (id: string) => ({ params: { path: { id } } });

export const project = (id: string) =>
  queryOptions({ queryKey: ['projects', 'one', id], queryFn: () => call(api.GET('/projects/{id}', path(id))) });

export const memberList = (id: string) =>
  queryOptions({ queryKey: ['projects', 'members', id], queryFn: () => call(api.GET('/projects/{id}/members', path(id))) });

function projectsChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['projects'] });
}

export async function createProject(name: string) {
  const created = await call(api.POST('/projects', { body: { name } }));
  await projectsChanged();
  return created;
}

export async function updateProject(id: string, body: Schemas['UpdateProjectBody']) {
  await call(api.PATCH('/projects/{id}', { ...path(id), body }));
  await projectsChanged();
}

export async function deleteProject(id: string, transferTo: string | undefined) {
  await call(
    api.DELETE('/projects/{id}', { params: { path: { id }, query: { ...(transferTo !== undefined && { transferTo }) } } }),
  );
  await projectsChanged();
}

export async function addMember(id: string, email: string, role: ProjectRole) {
  await call(api.POST('/projects/{id}/members', { ...path(id), body: { email, role } }));
  await projectsChanged();
}

const memberPath = ({ projectId, userId }: Member) => ({ params: { path: { id: projectId, userId } } });

export async function changeMember(member: Member, role: ProjectRole) {
  await call(api.PATCH('/projects/{id}/members/{userId}', { ...memberPath(member), body: { role } }));
  await projectsChanged();
}

export async function removeMember(member: Member) {
  await call(api.DELETE('/projects/{id}/members/{userId}', memberPath(member)));
  await projectsChanged();
}
