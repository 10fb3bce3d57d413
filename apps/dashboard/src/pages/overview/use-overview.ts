import { useQuery } from '@tanstack/react-query';
import { api, call } from '../../data/api.ts';
import { ApiError } from '../../data/errors.ts';
import { useLiveInterval } from '../../data/live.ts';
import type { Range } from '../../data/time-ranges.ts';

export type Statistics = Awaited<ReturnType<typeof readStatistics>>;
export type Worker = Awaited<ReturnType<typeof readWorkers>>['data'][number];
export type Queue = Awaited<ReturnType<typeof readQueue>>;
export type Finding = Awaited<ReturnType<typeof readAttention>>['data'][number];

/** Milliseconds between two reads. */
const refreshMs = 5_000;

const readStatistics = (range: Range) => call(api.GET('/statistics', { params: { query: { range } } }));
const readWorkers = () => call(api.GET('/workers'));
const readQueue = () => call(api.GET('/queue'));
const readAttention = () => call(api.GET('/attention'));

export function useStatistics(range: Range) {
  const refetchInterval = useLiveInterval(refreshMs);
  return useQuery({ queryKey: ['statistics', range], queryFn: () => readStatistics(range), refetchInterval });
}

export function useWorkers() {
  return useQuery({ queryKey: ['workers'], queryFn: readWorkers, refetchInterval: refreshMs, retry: false });
}

export function useQueue() {
  const refetchInterval = useLiveInterval(refreshMs);
  return useQuery({ queryKey: ['queue'], queryFn: readQueue, refetchInterval, retry: false });
}

/** Findings of the service itself. */
export function useAttention() {
  return useQuery({ queryKey: ['attention'], queryFn: readAttention, refetchInterval: 4 * refreshMs, retry: false });
}

/** Whether the key of the session lacks the right to read this. */
export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}

/** False while the list loads, and for keys that may not read it. */
export function useHasNoWorkflows(): boolean {
  const { data } = useQuery({
    queryKey: ['workflows', 'any'],
    queryFn: () => call(api.GET('/workflows', { params: { query: { limit: 1, excludePinnedData: true } } })),
  });
  return data?.data.length === 0;
}
