import { api, call, type Schemas } from './api.ts';
import { queryClient } from './query-client.ts';

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

const path = (id: string) => ({ params: { path: { id } } });

export async function stopExecution(id: string) {
  const stopped = await call(api.POST('/executions/{id}/stop', path(id)));
  await executionsChanged();
  return stopped;
}

export interface RetryOptions {
  /** True: the newest workflow version; false: the version that failed. */
  loadWorkflow?: boolean;
  /** Node to start from; default: the failed node. */
  from?: string;
}

/** Returns the new execution. */
export async function retryExecution(id: string, body: RetryOptions = {}) {
  const retry = await call(api.POST('/executions/{id}/retry', { ...path(id), body }));
  await executionsChanged();
  return retry;
}

export async function deleteExecutions(ids: readonly string[]) {
  await call(api.POST('/executions/delete', { body: { ids: [...ids] } }));
  await executionsChanged();
}

export function executionsChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['executions'] });
}
