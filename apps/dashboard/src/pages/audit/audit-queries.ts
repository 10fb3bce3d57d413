import { useInfiniteQuery } from '@tanstack/react-query';
import { api, call, type Schemas } from '../../data/api.ts';
import { type AuditFilter, toQuery } from './audit-filter.ts';

export type AuditEntry = Schemas['AuditEntry'];

const pageSize = 100;

/** The entries under a filter, newest first, page by page. */
export function useAuditEntries(filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: async ({ pageParam: { cursor, query } }) => {
      const page = await call(
        api.GET('/audit', { params: { query: { ...query, limit: pageSize, ...(cursor && { cursor }) } } }),
      );
      return { ...page, query };
    },
    initialPageParam: { cursor: undefined as string | undefined, query: toQuery(filter, Date.now()) },
    // Cursors are valid only for their query, so the start of a range must not move.
    getNextPageParam: ({ nextCursor, query }) => (nextCursor === null ? undefined : { cursor: nextCursor, query }),
    staleTime: 0,
  });
}
