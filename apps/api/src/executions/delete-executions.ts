import { deleteExecutionsBody, successView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const deleteExecutions = defineRoute({
  method: 'post',
  path: '/executions/delete',
  scope: 'execution:delete',
  action: 'execution.delete',
  operationId: 'deleteExecutions',
  summary: 'Delete executions, all or none',
  body: deleteExecutionsBody,
  responses: { 200: successView },
  async handle({ body, caller, services }) {
    await services.executions.deleteMany(body.ids, caller);
    return { status: 200, body: { success: true as const } };
  },
});
