import { listWorkflowsQuery, workflowPage } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { isShortPage } from './workflow-service.ts';
import { toWorkflowPage } from './workflow-view.ts';

export const listWorkflows = defineRoute({
  method: 'get',
  path: '/workflows',
  scope: 'workflow:list',
  summary: 'List workflows, newest first',
  query: listWorkflowsQuery,
  responses: { 200: workflowPage },
  async handle({ query, caller, services }) {
    const page = await services.workflows.list(query, caller);
    return { status: 200, body: toWorkflowPage(page), shared: isShortPage(page) };
  },
});
