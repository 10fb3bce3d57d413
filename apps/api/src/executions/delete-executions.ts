import { deleteExecutionsBody, deleteExecutionsView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const deleteExecutions = defineRoute({
  method: 'post',
  path: '/executions/delete',
  scope: 'execution:delete',
  action: 'execution.delete',
  operationId: 'deleteExecutions',
  summary: 'Delete executions, all or none',
  body: deleteExecutionsBody,
  responses: { 200: deleteExecutionsView },
  async handle({ body, caller, services }) {
    const deleted = await services.executions.deleteMany(body, caller);
    return { status: 200, body: { success: true as const, ...(body.dryRun && { deleted }) } };
  },
});
