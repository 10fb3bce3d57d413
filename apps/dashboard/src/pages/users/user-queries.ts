import { queryOptions } from '@tanstack/react-query';
import { allPages } from '../../data/all-pages.ts';
import { api, call, type Schemas } from '../../data/api.ts';
import { queryClient } from '../../data/query-client.ts';

export type User = Schemas['User'];

export const roleTexts: Record<User['role'], string> = { owner: 'Owner', admin: 'Admin', member: 'Member' };

export const roleOptions = [
  { value: 'member', label: 'Member: works in projects' },
  { value: 'admin', label: 'Admin: also administers the instance' },
  { value: 'owner', label: 'Owner' },
];

const path = (id: string) => ({ params: { path: { id } } });

export const userList = queryOptions({
  queryKey: ['users', 'all'],
  queryFn: () => allPages((position) => call(api.GET('/users', { params: { query: { limit: 250, ...position } } }))),
});

/** Users have personal projects. */
async function usersChanged(): Promise<void> {
  await Promise.all(['users', 'projects'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
}

/** The first key, if it was requested, is only in this response. */
export async function createUser(body: Schemas['CreateUserBody']) {
  const created = await call(api.POST('/users', { body }));
  await usersChanged();
  return created;
}

export async function updateUser(id: string, body: Schemas['UpdateUserBody']) {
  await call(api.PATCH('/users/{id}', { ...path(id), body }));
  await usersChanged();
}

export async function deleteUser(id: string, transferTo: string | undefined) {
  await call(
    api.DELETE('/users/{id}', { params: { path: { id }, query: { ...(transferTo !== undefined && { transferTo }) } } }),
  );
  await usersChanged();
}
