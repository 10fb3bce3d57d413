import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { pageByPage } from '../../data/all-pages.ts';
import { api, byId, call, type Schemas } from '../../data/api.ts';
import { useLiveInterval } from '../../data/live.ts';
import type { WorkflowFilter } from './filter.ts';

const pageSize = 100;
/** Milliseconds for which a row's data is not read again. */
const rowStaleMs = 15_000;

/** The workflows under a filter, page by page. */
export function useWorkflows({ name, tag, projectId, active }: WorkflowFilter) {
  const query = {
    limit: pageSize,
    excludePinnedData: true,
    ...(name && { name }),
    ...(tag && { tags: tag }),
    ...(projectId && { projectId }),
    ...(active && { active: active === 'true' }),
  };
  return useInfiniteQuery({
    queryKey: ['workflows', 'pages', query],
    ...pageByPage((position) => call(api.GET('/workflows', { params: { query: { ...query, ...position } } }))),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
}

/** The newest execution of a workflow; `undefined` while it loads, null if there is none. */
export function useLastExecution(workflowId: string) {
  const refetchInterval = useLiveInterval(rowStaleMs);
  return useQuery({
    queryKey: ['executions', 'last', workflowId],
    queryFn: async () => {
      const { data } = await call(api.GET('/executions', { params: { query: { workflowId, limit: 1 } } }));
      return data[0] ?? null;
    },
    staleTime: rowStaleMs,
    refetchInterval,
  });
}

interface TriggersOptions {
  enabled?: boolean;
  /** Milliseconds to the next read. */
  refreshAfter?(triggers: Schemas['TriggerList'] | undefined): number;
}

export function useTriggers(workflowId: string, { enabled = true, refreshAfter = () => rowStaleMs }: TriggersOptions = {}) {
  return useQuery({
    queryKey: ['workflows', workflowId, 'triggers'],
    queryFn: () => call(api.GET('/workflows/{id}/triggers', byId(workflowId))),
    enabled,
    staleTime: rowStaleMs,
    refetchInterval: ({ state: { data } }) => refreshAfter(data),
  });
}
