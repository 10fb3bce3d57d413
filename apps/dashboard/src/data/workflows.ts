import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { pageByPage } from './all-pages.ts';
import { api, byId, call, callWithResponse, type Schemas } from './api.ts';
import { executionsChanged } from './executions.ts';
import { changing, queryClient } from './query-client.ts';

export type Workflow = Schemas['Workflow'];
export type WorkflowWarning = Schemas['WorkflowWarning'];
export type Trigger = Schemas['Trigger'];

export function workflowsChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['workflows'] });
}

/** A workflow, and the `ETag` that a change sends to name the state on which it is based. */
export async function readWorkflow(id: string): Promise<{ workflow: Workflow; etag: string | null }> {
  const { data, response } = await callWithResponse(api.GET('/workflows/{id}', byId(id)));
  return { workflow: data, etag: response.headers.get('etag') };
}

/** Throws an `ApiError` with status 409 if the workflow has changed since `etag` was read. */
export async function updateWorkflow(id: string, body: Schemas['UpdateWorkflowBody'], etag: string | null) {
  const { data, response } = await callWithResponse(
    api.PATCH('/workflows/{id}', {
      params: { path: { id }, ...(etag !== null && { header: { 'If-Match': etag } }) },
      body,
    }),
  );
  return { workflow: data, etag: response.headers.get('etag') };
}

export const createWorkflow = (body: Schemas['CreateWorkflowBody']) =>
  changing(call(api.POST('/workflows', { body })), 'workflows');

export const deleteWorkflow = (id: string) => changing(call(api.DELETE('/workflows/{id}', byId(id))), 'workflows');

/** A version with its graph. Read once: only an activation, which invalidates it, changes it. */
export function useVersion(id: string, versionId: string | undefined) {
  return useQuery({
    queryKey: ['workflows', id, 'versions', 'content', versionId],
    queryFn: () =>
      call(api.GET('/workflows/{id}/versions/{versionId}', { params: { path: { id, versionId: versionId as string } } })),
    enabled: versionId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function versionTitle({ number, name }: Pick<Schemas['WorkflowVersion'], 'number' | 'name'>): string {
  return name === null ? `Version ${number}` : `Version ${number}: ${name}`;
}

/** Activates the newest version, or the given one. */
export const activateWorkflow = (id: string, body: Schemas['ActivateWorkflowBody'] = {}) =>
  changing(call(api.POST('/workflows/{id}/activate', { ...byId(id), body })), 'workflows');

export const deactivateWorkflow = (id: string) => changing(call(api.POST('/workflows/{id}/deactivate', byId(id))), 'workflows');

/** Starts a manual run and returns the ID of its execution, without waiting for the end. */
export async function runWorkflow(id: string, body: Schemas['RunWorkflowBody']): Promise<string> {
  const params = { path: { id }, header: { Prefer: 'respond-async' } };
  const { executionId } = await call(api.POST('/workflows/{id}/run', { params, body }));
  void executionsChanged();
  return executionId;
}

/** Workflows whose name contains a string, page by page. */
export function useWorkflowSearch(name: string) {
  const query = { limit: 50, excludePinnedData: true, ...(name && { name }) };
  return useInfiniteQuery({
    queryKey: ['workflows', 'search', name],
    ...pageByPage((position, signal) => call(api.GET('/workflows', { params: { query: { ...query, ...position } }, signal }))),
    placeholderData: keepPreviousData,
  });
}

/** A workflow's name; `undefined` until it is read, and if the user cannot read it. */
export function useWorkflowName(id: string | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['workflows', id, 'name'],
    queryFn: async () => (await readWorkflow(id as string)).workflow.name,
    enabled: id !== undefined,
    staleTime: 30_000,
  });
  return data;
}

/**
 * Workflows whose name contains a string, among the workflows that `useWorkflowNames` does not
 * read. Reads nothing while the text is empty.
 */
export function useWorkflowsNamed(name: string) {
  return useQuery({
    queryKey: ['workflows', 'named', name],
    queryFn: ({ signal }) =>
      call(api.GET('/workflows', { params: { query: { name, limit: 25, excludePinnedData: true } }, signal })),
    enabled: name !== '',
    placeholderData: keepPreviousData,
  });
}

/** The first workflows, for their names. */
export function useWorkflowNames() {
  return useQuery({
    queryKey: ['workflows', 'names'],
    queryFn: () => call(api.GET('/workflows', { params: { query: { limit: 250, excludePinnedData: true } } })),
    staleTime: 30_000,
  });
}
