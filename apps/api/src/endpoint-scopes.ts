import type { Scope } from '@sluice/domain';

/** Endpoint → the scope it needs (decision 2.6). Routes and this table match one to one, or the process does not start. */
export const endpointScopes: Readonly<Record<string, Scope>> = {
  'GET /workflows': 'workflow:list',
  'POST /workflows': 'workflow:create',
  'GET /workflows/:id': 'workflow:read',
  'PATCH /workflows/:id': 'workflow:update',
  'DELETE /workflows/:id': 'workflow:delete',
  'POST /workflows/:id/run': 'workflow:execute',
  'GET /executions': 'execution:list',
  'GET /executions/:id': 'execution:read',
  'POST /executions/:id/stop': 'execution:stop',
  'POST /executions/stopMany': 'execution:stop',
  'POST /executions/:id/retry': 'execution:retry',
  'POST /executions/delete': 'execution:delete',
};
