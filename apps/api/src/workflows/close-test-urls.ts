import { successView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const closeTestUrls = defineRoute({
  method: 'delete',
  path: '/workflows/:id/test-urls',
  scope: 'workflow:execute',
  action: 'workflow.closeTestUrls',
  operationId: 'closeTestUrls',
  summary: 'Close the test URLs of a workflow',
  responses: { 200: successView },
  async handle({ params, caller, services }) {
    await services.testUrls.close(params.id, caller);
    return { status: 200, body: { success: true as const } };
  },
});
