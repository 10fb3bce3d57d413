import { queryOptions } from '@tanstack/react-query';
import { allPages } from '../../data/all-pages.ts';
import { api, byId, call, type Schemas } from '../../data/api.ts';
import { changing } from '../../data/query-client.ts';

export type User = Schemas['User'];

export const roleTexts: Record<User['role'], string> = { owner: 'Owner', admin: 'Admin', member: 'Member' };

export const roleOptions = [
  { value: 'member', label: 'Member: works in projects' },
  { value: 'admin', label: 'Admin: also administers the instance' },
  { value: 'owner', label: 'Owner' },
];

export const userList = queryOptions({
  queryKey: ['users', 'all'],
  queryFn: () => allPages((query) => call(api.GET('/users', { params: { query } }))),
});

/** Also reads the projects again: each user has a personal one. */
const changingUsers = <T>(change: Promise<T>) => changing(change, 'users', 'projects');

/** The first key, if it was requested, is only in this response. */
export const createUser = (body: Schemas['CreateUserBody']) => changingUsers(call(api.POST('/users', { body })));

export const updateUser = (id: string, body: Schemas['UpdateUserBody']) =>
  changingUsers(call(api.PATCH('/users/{id}', { ...byId(id), body })));

export function deleteUser(id: string, transferTo: string | undefined) {
  const params = { path: { id }, query: { ...(transferTo !== undefined && { transferTo }) } };
  return changingUsers(call(api.DELETE('/users/{id}', { params })));
}
