import { queryOptions } from '@tanstack/react-query';
import { allPages } from '../../data/all-pages.ts';
import { api, call, type Schemas } from '../../data/api.ts';

export type NodeType = Schemas['NodeType'];
export type NodePackage = Schemas['NodePackage'];

const hour = 3_600_000;

export const nodeTypeList = queryOptions({
  queryKey: ['node-types', 'list'],
  queryFn: () => allPages((position) => call(api.GET('/node-types', { params: { query: { limit: 250, ...position } } }))),
  staleTime: hour,
});

export const nodeType = (type: string) =>
  queryOptions({
    queryKey: ['node-types', 'described', type],
    queryFn: () => call(api.GET('/node-types/{type}', { params: { path: { type } } })),
    staleTime: hour,
  });

export const packageList = queryOptions({
  queryKey: ['node-packages'],
  queryFn: () => call(api.GET('/node-packages')),
});

export function isTrigger({ group }: Pick<NodeType, 'group'>): boolean {
  return group.includes('trigger');
}

/** `base` of `base.if`: the package that defines it. */
export function packageOf({ type }: Pick<NodeType, 'type'>): string {
  return type.slice(0, type.lastIndexOf('.'));
}
