import { queryOptions } from '@tanstack/react-query';
import { api, call, type Schemas } from '../../data/api.ts';

export type NodePackage = Schemas['NodePackage'];

export const packageList = queryOptions({
  queryKey: ['node-packages'],
  queryFn: () => call(api.GET('/node-packages')),
});
