import { listWorkflowVersionsQuery, workflowVersionPage } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toVersionView } from './workflow-version-view.ts';

export const listWorkflowVersions = defineRoute({
  method: 'get',
  path: '/workflows/:id/versions',
  scope: 'workflow:read',
  summary: 'List the versions of a workflow, newest first',
  query: listWorkflowVersionsQuery,
  responses: { 200: workflowVersionPage },
  async handle({ params, query, caller, services }) {
    const { versions, nextCursor } = await services.workflowVersions.list(params.id, query, caller);
    return { status: 200, body: { data: versions.map(toVersionView), nextCursor } };
  },
});
