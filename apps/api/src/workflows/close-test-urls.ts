import { noContent } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';

export const closeTestUrls = defineRoute({
  method: 'delete',
  path: '/workflows/:id/test-urls',
  scope: 'workflow:execute',
  action: 'workflow.closeTestUrls',
  operationId: 'closeTestUrls',
  summary: 'Stop waiting for a call of the test URLs',
  replies: { 204: noContent },
  async handle({ params, caller, services }) {
    await services.testUrls.close(params.id, caller);
    return { status: 204, body: null };
  },
});
