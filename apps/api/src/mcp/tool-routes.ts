import { executionView, listWorkflowsQuery, nodeRun, pageOf, Type, workflowView } from '@sluice/contract';
import type { WorkflowSummary } from '@sluice/db';
import { isTerminal } from '@sluice/domain';
import { toExecutionView } from '../executions/execution-view.ts';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';
import { mapPage } from '../paging/page.ts';

const { id, name, active, tags, projectId, versionId, activeVersionId, createdAt, updatedAt } = workflowView.properties;

const summary = Type.Object({ id, name, active, tags, projectId, versionId, activeVersionId, createdAt, updatedAt });

const defaultWaitSeconds = 25;

/** Clients of the protocol wait 60 seconds by default. */
const maxWaitSeconds = 55;

export const toolRoutes = defineRoutes({
  /** Models would pay for the whole workflows of the REST list. Cursors of both are the same. */
  listWorkflows: defineRoute({
    method: 'get',
    path: '/workflows',
    scope: 'workflow:list',
    summary: 'List workflows, newest first',
    query: listWorkflowsQuery,
    responses: { 200: pageOf(summary) },
    reply: async ({ query, caller, services }) => mapPage(await services.workflows.listSummaries(query, caller), toSummary),
  }),

  /** A tool without an endpoint: over REST, clients follow the events of an execution. */
  followExecution: defineRoute({
    method: 'get',
    path: '/executions/:id/outcome',
    scope: 'execution:read',
    summary: 'Wait until an execution has ended; returns its status, its error, and the output of the node that ended last',
    query: Type.Object({
      wait: Type.Integer({
        minimum: 0,
        maximum: maxWaitSeconds,
        default: defaultWaitSeconds,
        description: 'maximum time to wait, in seconds; call again while `finished` is false',
      }),
    }),
    responses: {
      200: Type.Object({
        finished: Type.Boolean(),
        execution: executionView,
        lastNodeRun: Type.Optional(Type.Object({ nodeName: Type.String(), runIndex: Type.Integer(), run: nodeRun })),
      }),
    },
    async reply({ params, query, services, signal, renewCaller, onWait }) {
      await services.runs.follow(params.id, { waitMs: query.wait * 1_000, signal, renewCaller, onWait });
      const { execution, lastNodeRun } = await services.executions.getOutcome(params.id, await renewCaller());
      return {
        finished: isTerminal(execution.status),
        execution: toExecutionView({ execution }),
        ...(lastNodeRun && { lastNodeRun }),
      };
    },
  }),
});

function toSummary({ graphHash: _, createdAtUs: __, updatedAtUs: ___, ...workflow }: WorkflowSummary) {
  return { ...workflow, createdAt: workflow.createdAt.toISOString(), updatedAt: workflow.updatedAt.toISOString() };
}
