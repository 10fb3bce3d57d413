import { queryOptions } from '@tanstack/react-query';
import { allPages } from './all-pages.ts';
import { api, call } from './api.ts';

export const tagList = queryOptions({
  queryKey: ['tags'],
  queryFn: () => allPages((query) => call(api.GET('/tags', { params: { query } }))),
});
