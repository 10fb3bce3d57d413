import { openTestUrlsBody, testUrlsView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toTestUrlsView } from './test-urls-view.ts';

export const openTestUrls = defineRoute({
  method: 'post',
  path: '/workflows/:id/test-urls',
  scope: 'workflow:execute',
  action: 'workflow.openTestUrls',
  operationId: 'openTestUrls',
  summary: 'Try a workflow out by calling it: its test URLs work for two minutes, and for one call',
  body: openTestUrlsBody,
  bodyOptional: true,
  replies: { 200: testUrlsView },
  docs: { errors: ['WEBHOOK_PATH_TAKEN'] },
  async handle({ params, body, caller, services }) {
    return { status: 200, body: toTestUrlsView(await services.testUrls.open(params.id, body, caller)) };
  },
});
