import { getWorkflowQuery, workflowVersionContent } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toVersionContent } from './workflow-version-view.ts';

export const getWorkflowVersion = defineRoute({
  method: 'get',
  path: '/workflows/:id/versions/:versionId',
  scope: 'workflow:read',
  summary: 'Read a version of a workflow with its graph',
  query: getWorkflowQuery,
  responses: { 200: workflowVersionContent },
  async handle({ params, query, caller, services }) {
    const version = await services.workflowVersions.get(params.id, params.versionId, caller);
    return { status: 200, body: toVersionContent(version, query) };
  },
});
