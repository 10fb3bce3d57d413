import type { ExecutionStatus, WorkflowGraph } from '@sluice/domain';
import { eventually } from '@sluice/test-support';
import { type ApiResponse, callApi, type RunningProcess, type RunningService } from '../harness.ts';

/** An authenticated client of a whole service or of a single API process. */
export type Caller = Pick<RunningService, 'call'>;

/** A client of one API process. */
export function callerOf({ url }: Pick<RunningProcess, 'url'>, apiKey: string): Caller {
  return { call: (method, path, body, headers) => callApi(url, apiKey, { method, path, body, headers }) };
}

/** Returns the body of a response, or throws if its status is not the expected one. */
export function expectStatus({ status, body }: ApiResponse, expected: number): ApiResponse['body'] {
  if (status !== expected) throw new Error(`status ${status} instead of ${expected}: ${JSON.stringify(body)}`);
  return body;
}

/**
 * Creates a workflow and resolves to its ID. Default project: the personal project of the caller.
 */
export async function createWorkflow(api: Caller, workflow: WorkflowGraph & { projectId?: string }): Promise<string> {
  return expectStatus(await api.call('POST', '/workflows', workflow), 201).id;
}

/** Runs a workflow and waits for the response, which the API sends when the execution ends. */
export async function run(api: Caller, workflowId: string, headers: Record<string, string> = {}): Promise<ApiResponse['body']> {
  return expectStatus(await api.call('POST', `/workflows/${workflowId}/run`, {}, headers), 200);
}

/** Starts a run without waiting for its end. Resolves to the execution ID. */
export async function startRun(api: Caller, workflowId: string): Promise<string> {
  return (await run(api, workflowId, { prefer: 'respond-async' })).executionId;
}

/** Creates the workflow and starts it. */
export async function startNew(api: Caller, graph: WorkflowGraph): Promise<{ workflowId: string; executionId: string }> {
  const workflowId = await createWorkflow(api, graph);
  return { workflowId, executionId: await startRun(api, workflowId) };
}

export async function getExecution(api: Caller, id: string): Promise<ApiResponse['body']> {
  return expectStatus(await api.call('GET', `/executions/${id}?includeData=true`), 200);
}

/** Waits until the execution has the status. Resolves to the execution with its data. */
export async function untilStatus(api: Caller, id: string, status: ExecutionStatus): Promise<ApiResponse['body']> {
  return eventually(async () => {
    const execution = await getExecution(api, id);
    if (execution.status !== status) throw new Error(`execution ${id} is ${execution.status}, not ${status}`);
    return execution;
  });
}

/** Waits until a run of the node is recorded, after which it must not be repeated. */
export async function untilRecorded(api: Caller, id: string, node: string): Promise<void> {
  await eventually(async () => node in (await getExecution(api, id)).data.resultData.runData);
}

export async function stop(api: Caller, id: string): Promise<ApiResponse['body']> {
  return expectStatus(await api.call('POST', `/executions/${id}/stop`), 200);
}

export async function retry(api: Caller, id: string, body: object = {}): Promise<ApiResponse['body']> {
  return expectStatus(await api.call('POST', `/executions/${id}/retry`, body), 200);
}
