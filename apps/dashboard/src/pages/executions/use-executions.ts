import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { pageByPage } from '../../data/all-pages.ts';
import { api, call } from '../../data/api.ts';
import { useLiveInterval } from '../../data/live.ts';
import { type ExecutionFilter, type ExecutionQuery, toQuery } from './filter.ts';
import { mergeRows, startedSince } from './merge-rows.ts';

/** Milliseconds between two reads of the newest page without events. */
const refreshMs = 2_000;
const pageSize = 100;

/**
 * The executions that match a filter: pages on demand, and the newest page after each change. A
 * time range moves with the newest page; older pages keep the range of the first page, for which
 * their cursors are valid. `filter`: memoized.
 */
export function useExecutions(filter: ExecutionFilter) {
  const client = useQueryClient();
  const refetchInterval = useLiveInterval(refreshMs);
  const query = useMemo(() => toQuery(filter, Date.now()), [filter]);
  const read = (query: ExecutionQuery, position = {}) =>
    call(api.GET('/executions', { params: { query: { ...query, limit: pageSize, ...position } } }));
  const pages = useInfiniteQuery({
    queryKey: ['executions', 'pages', query],
    ...pageByPage((position) => read(query, position)),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });
  const newest = useQuery({
    queryKey: ['executions', 'newest', query],
    queryFn: async () => {
      const now = toQuery(filter, Date.now());
      return { ...(await read(now)), since: now.startedAfter };
    },
    refetchInterval,
  });
  const { rows, hasGap } = useMemo(() => {
    const read = pages.data?.pages.flatMap(({ data }) => data) ?? [];
    return mergeRows(startedSince(read, newest.data?.since), newest.data?.data, newest.data?.nextCursor === null);
  }, [pages.data, newest.data]);
  useEffect(() => {
    if (hasGap) void client.resetQueries({ queryKey: ['executions', 'pages', query] });
  }, [hasGap, client, query]);
  const { count = 0, estimated = false } = newest.data ?? pages.data?.pages.at(-1) ?? {};
  return { rows, count, estimated, pages };
}
