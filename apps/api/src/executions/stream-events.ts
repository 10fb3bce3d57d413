import { executionEvents, lastEventIdHeader } from '@sluice/contract';
import { parsePosition } from '../events/stream-position.ts';
import { defineEventRoute } from '../http/define-event-route.ts';

export const streamEvents = defineEventRoute({
  path: '/executions/:id/events',
  scope: 'execution:read',
  operationId: 'streamExecutionEvents',
  summary: 'Follow an execution by server-sent events; Last-Event-ID resumes, a terminal status is the last event',
  events: executionEvents,
  docs: { headers: { 'Last-Event-ID': lastEventIdHeader } },
  open: async ({ params, caller, services, header, signal, renewCaller }) =>
    services.events.open(params.id, caller, { position: parsePosition(header('last-event-id')), signal, renewCaller }),
});
