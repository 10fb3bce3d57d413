import { listWorkflowsQuery, workflowPage } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toWorkflowView } from './workflow-view.ts';

export const listWorkflows = defineRoute({
  method: 'get',
  path: '/workflows',
  scope: 'workflow:list',
  summary: 'List workflows, newest first',
  query: listWorkflowsQuery,
  responses: { 200: workflowPage },
  async handle({ query, caller, services }) {
    const { workflows, nextCursor } = await services.workflows.list(query, caller);
    return { status: 200, body: { data: workflows.map((workflow) => toWorkflowView(workflow, query)), nextCursor } };
  },
});
