import { queryOptions } from '@tanstack/react-query';
import { allPages } from './all-pages.ts';
import { api, call } from './api.ts';

export const tagList = queryOptions({
  queryKey: ['tags'],
  queryFn: () => allPages((position) => call(api.GET('/tags', { params: { query: { limit: 250, ...position } } }))),
});
