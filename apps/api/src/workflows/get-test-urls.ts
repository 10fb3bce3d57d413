import { testUrlsView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toTestUrlsView } from './test-urls-view.ts';

export const getTestUrls = defineRoute({
  method: 'get',
  path: '/workflows/:id/test-urls',
  scope: 'workflow:execute',
  operationId: 'getTestUrls',
  summary:
    'Read the test URLs of a workflow and the execution that the request started; available for an hour after they close',
  responses: { 200: testUrlsView },
  async handle({ params, caller, services }) {
    return { status: 200, body: toTestUrlsView(await services.testUrls.get(params.id, caller)) };
  },
});
