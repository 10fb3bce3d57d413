import { testUrlsView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toTestUrlsView } from './test-urls-view.ts';

export const getTestUrls = defineRoute({
  method: 'get',
  path: '/workflows/:id/test-urls',
  scope: 'workflow:execute',
  operationId: 'getTestUrls',
  summary: 'Test URLs of a workflow, and which execution the call has started; for an hour after they have closed',
  replies: { 200: testUrlsView },
  async handle({ params, caller, services }) {
    return { status: 200, body: toTestUrlsView(await services.testUrls.get(params.id, caller)) };
  },
});
