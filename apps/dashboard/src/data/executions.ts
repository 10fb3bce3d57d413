import { queryOptions } from '@tanstack/react-query';
import { api, byId, call, type Schemas } from './api.ts';
import { changing, queryClient } from './query-client.ts';

export type Execution = Schemas['Execution'];
export type NodeRun = Schemas['NodeRun'];
export type Item = Schemas['Item'];

const terminal: readonly string[] = ['success', 'error', 'canceled', 'crashed'];

export function hasEnded({ status }: Pick<Execution, 'status'>): boolean {
  return terminal.includes(status);
}

/** Whether a retry is possible: the API retries executions that failed or were canceled. */
export function canRetry({ status }: Pick<Execution, 'status'>): boolean {
  return status === 'error' || status === 'crashed' || status === 'canceled';
}

export const executionWithData = (id: string) =>
  queryOptions({
    queryKey: ['executions', 'one', id],
    queryFn: () => call(api.GET('/executions/{id}', { params: { path: { id }, query: { includeData: true } } })),
  });

export const stopExecution = (id: string) => changing(call(api.POST('/executions/{id}/stop', byId(id))), 'executions');

export interface RetryOptions {
  /** True: the newest workflow version; false: the version that failed. */
  loadWorkflow?: boolean;
  /** Node to start from; default: the failed node. */
  from?: string;
}

/** Returns the new execution. */
export const retryExecution = (id: string, body: RetryOptions = {}) =>
  changing(call(api.POST('/executions/{id}/retry', { ...byId(id), body })), 'executions');

export const deleteExecutions = (ids: readonly string[]) =>
  changing(call(api.POST('/executions/delete', { body: { ids: [...ids] } })), 'executions');

export function executionsChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['executions'] });
}
