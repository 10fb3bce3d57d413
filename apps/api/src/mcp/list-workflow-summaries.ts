import { listWorkflowsQuery, pageOf, Type, workflowView } from '@sluice/contract';
import type { WorkflowSummary } from '@sluice/db';
import { defineRoute } from '../http/define-route.ts';

const { id, name, active, tags, projectId, versionId, activeVersionId, createdAt, updatedAt } = workflowView.properties;
const summary = Type.Object({ id, name, active, tags, projectId, versionId, activeVersionId, createdAt, updatedAt });

/** The list over REST has whole workflows, which models would pay for. Cursors of both are the same. */
export const listWorkflowSummaries = defineRoute({
  method: 'get',
  path: '/workflows',
  operationId: 'listWorkflows',
  scope: 'workflow:list',
  summary: 'List workflows, newest first',
  query: listWorkflowsQuery,
  responses: { 200: pageOf(summary) },
  async handle({ query, caller, services }) {
    const { workflows, nextCursor } = await services.workflows.listSummaries(query, caller);
    return { status: 200, body: { data: workflows.map(toSummary), nextCursor } };
  },
});

function toSummary({ graphHash: _, createdAtUs: __, updatedAtUs: ___, ...workflow }: WorkflowSummary) {
  return { ...workflow, createdAt: workflow.createdAt.toISOString(), updatedAt: workflow.updatedAt.toISOString() };
}
