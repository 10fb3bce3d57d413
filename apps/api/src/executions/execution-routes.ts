import {
  changeEvents,
  deleteExecutionsBody,
  deleteExecutionsView,
  executedWorkflow,
  executionEvents,
  executionPage,
  executionView,
  getExecutionQuery,
  idempotencyKeyHeader,
  lastEventIdHeader,
  listExecutionsQuery,
  retryExecutionBody,
  retryView,
  stopManyBody,
  stopManyView,
  stoppedExecution,
  updateExecutionBody,
} from '@sluice/contract';
import { parsePosition } from '../event-streams/stream-position.ts';
import { idempotencyKeyOf } from '../http/headers/request-headers.ts';
import { defineEventRoute, defineRoute, defineRoutes } from '../http/route/define-route.ts';
import { toExecutionView, toRetryView } from './execution-view.ts';

export const executionRoutes = defineRoutes({
  listExecutions: defineRoute({
    method: 'get',
    path: '/executions',
    scope: 'execution:list',
    summary: 'List executions, newest first',
    query: listExecutionsQuery,
    responses: { 200: executionPage },
    async handle({ query, caller, services, signal }) {
      const body = await services.executions.list(query, caller, signal);
      // A page with data belongs to one request, and may be too large to be written at once.
      return { body, shared: !query.includeData };
    },
  }),

  stopManyExecutions: defineRoute({
    method: 'post',
    path: '/executions/stopMany',
    scope: 'execution:stop',
    action: 'execution.stopMany',
    summary: 'Stop all executions that match a filter',
    body: stopManyBody,
    responses: { 200: stopManyView },
    docs: { errors: ['NOT_FOUND'] },
    reply: async ({ body, caller, services }) => ({ stopped: await services.executions.stopMany(body, caller) }),
  }),

  deleteExecutions: defineRoute({
    method: 'post',
    path: '/executions/delete',
    scope: 'execution:delete',
    action: 'execution.delete',
    summary: 'Delete executions, all or none',
    body: deleteExecutionsBody,
    responses: { 200: deleteExecutionsView },
    async reply({ body, caller, services }) {
      const deleted = await services.executions.deleteMany(body, caller);
      return { success: true as const, ...(body.dryRun && { deleted }) };
    },
  }),

  getExecution: defineRoute({
    method: 'get',
    path: '/executions/:id',
    scope: 'execution:read',
    summary: 'Read an execution; includeData=true includes the data of every node',
    query: getExecutionQuery,
    responses: { 200: executionView },
    async reply({ params, query, caller, services, signal }) {
      const execution = await services.executions.get(params.id, caller, query.includeData ? signal : undefined);
      return toExecutionView(execution);
    },
  }),

  getExecutionWorkflow: defineRoute({
    method: 'get',
    path: '/executions/:id/workflow',
    scope: 'workflow:read',
    summary: 'Read the graph that an execution runs, even if it was sent with the request and never saved',
    responses: { 200: executedWorkflow },
    async reply({ params, caller, services }) {
      const { name, nodes, connections, settings = {} } = await services.executions.getGraph(params.id, caller);
      return { name, nodes, connections, settings };
    },
  }),

  updateExecution: defineRoute({
    method: 'patch',
    path: '/executions/:id',
    scope: 'execution:read',
    action: 'execution.annotate',
    summary: 'Annotate an execution with tags and a vote',
    body: updateExecutionBody,
    responses: { 200: executionView },
    async reply({ params, body, caller, services }) {
      const execution = await services.executions.annotate(params.id, body, caller);
      return toExecutionView({ execution });
    },
  }),

  streamExecutionEvents: defineEventRoute({
    path: '/executions/:id/events',
    scope: 'execution:read',
    summary: 'Follow an execution by server-sent events; Last-Event-ID resumes, a terminal status is the last event',
    events: executionEvents,
    docs: { headers: { 'Last-Event-ID': lastEventIdHeader } },
    open: async ({ params, caller, services, header, signal, renewCaller }) =>
      services.events.open(params.id, caller, { position: parsePosition(header('last-event-id')), signal, renewCaller }),
  }),

  streamChanges: defineEventRoute({
    path: '/events',
    scope: 'execution:list',
    summary: 'Follow changes of all executions by server-sent events; read the list again after a reconnect',
    events: changeEvents,
    open: async ({ caller, services, signal, renewCaller }) => services.events.openChanges(caller, { signal, renewCaller }),
  }),

  stopExecution: defineRoute({
    method: 'post',
    path: '/executions/:id/stop',
    scope: 'execution:stop',
    action: 'execution.stop',
    summary: 'Stop an execution that has not ended',
    responses: { 200: stoppedExecution },
    async reply({ params, caller, services }) {
      const { id, stoppedAt } = await services.executions.stop(params.id, caller);
      return { id, status: 'canceled' as const, stoppedAt: stoppedAt.toISOString() };
    },
  }),

  retryExecution: defineRoute({
    method: 'post',
    path: '/executions/:id/retry',
    scope: 'execution:retry',
    action: 'execution.retry',
    limit: 'run',
    summary: 'Retry a failed execution from the failed node',
    body: retryExecutionBody,
    bodyOptional: true,
    responses: { 200: retryView },
    docs: { headers: { 'Idempotency-Key': idempotencyKeyHeader }, errors: ['QUEUE_FULL', 'IDEMPOTENCY_KEY_EXECUTION_DELETED'] },
    async reply({ params, body, header, caller, services, url }) {
      const idempotencyKey = idempotencyKeyOf(header('idempotency-key'), caller.userId, url);
      const execution = await services.retries.retry(params.id, caller, { ...body, idempotencyKey });
      return toRetryView(execution);
    },
  }),
});
