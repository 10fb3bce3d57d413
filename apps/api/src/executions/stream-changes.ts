import { changeEvents } from '@sluice/contract';
import { defineEventRoute } from '../http/define-event-route.ts';

export const streamChanges = defineEventRoute({
  path: '/events',
  scope: 'execution:list',
  operationId: 'streamChanges',
  summary: 'Follow changes of all executions by server-sent events; read the list again after a reconnect',
  events: changeEvents,
  open: async ({ caller, services, signal, renewCaller }) => services.events.openChanges(caller, { signal, renewCaller }),
});
