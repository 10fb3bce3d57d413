import { openTestUrlsBody, testUrlsView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toTestUrlsView } from './test-urls-view.ts';

export const openTestUrls = defineRoute({
  method: 'post',
  path: '/workflows/:id/test-urls',
  scope: 'workflow:execute',
  action: 'workflow.openTestUrls',
  operationId: 'openTestUrls',
  summary: 'Open test URLs of a workflow, valid for two minutes and one request',
  body: openTestUrlsBody,
  bodyOptional: true,
  responses: { 200: testUrlsView },
  docs: { errors: ['WEBHOOK_PATH_TAKEN', 'STORAGE_QUOTA_EXCEEDED'] },
  async handle({ params, body, caller, services }) {
    return { status: 200, body: toTestUrlsView(await services.testUrls.open(params.id, body, caller)) };
  },
});
