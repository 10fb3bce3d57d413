import { openTestUrlsBody, successView, type TestUrlsView, testUrlsView } from '@sluice/contract';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';
import type { AddressedTestUrls } from '../inbound/webhook/test-url-service.ts';

export const testUrlRoutes = defineRoutes({
  openTestUrls: defineRoute({
    method: 'post',
    path: '/workflows/:id/test-urls',
    scope: 'workflow:execute',
    action: 'workflow.openTestUrls',
    summary: 'Open test URLs of a workflow, valid for two minutes and one request',
    body: openTestUrlsBody,
    bodyOptional: true,
    responses: { 200: testUrlsView },
    docs: { errors: ['WEBHOOK_PATH_TAKEN', 'STORAGE_QUOTA_EXCEEDED'] },
    reply: async ({ params, body, caller, services }) => toTestUrlsView(await services.testUrls.open(params.id, body, caller)),
  }),

  getTestUrls: defineRoute({
    method: 'get',
    path: '/workflows/:id/test-urls',
    scope: 'workflow:execute',
    summary:
      'Read the test URLs of a workflow and the execution that the request started; available for an hour after they close',
    responses: { 200: testUrlsView },
    reply: async ({ params, caller, services }) => toTestUrlsView(await services.testUrls.get(params.id, caller)),
  }),

  closeTestUrls: defineRoute({
    method: 'delete',
    path: '/workflows/:id/test-urls',
    scope: 'workflow:execute',
    action: 'workflow.closeTestUrls',
    summary: 'Close the test URLs of a workflow',
    responses: { 200: successView },
    async reply({ params, caller, services }) {
      await services.testUrls.close(params.id, caller);
      return { success: true as const };
    },
  }),
});

function toTestUrlsView({ open, expiresAt, executionId, urls }: AddressedTestUrls): TestUrlsView {
  return {
    open,
    expiresAt: expiresAt.toISOString(),
    executionId,
    urls: urls.map(({ nodeName, kind, methods, url }) => ({ nodeName, kind, methods: [...methods], url })),
  };
}
