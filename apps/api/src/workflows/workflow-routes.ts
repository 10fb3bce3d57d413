import {
  activateWorkflowBody,
  createWorkflowBody,
  deletedWorkflow,
  etagHeader,
  expressionPreview,
  getWorkflowQuery,
  idempotencyKeyHeader,
  ifMatchHeader,
  listWorkflowsQuery,
  listWorkflowVersionsQuery,
  noContent,
  preferHeader,
  previewExpressionsBody,
  runView,
  runWorkflowBody,
  transferWorkflowBody,
  triggerList,
  updateWorkflowBody,
  type WorkflowWarning,
  workflowPage,
  workflowVersionContent,
  workflowVersionPage,
  workflowView,
} from '@sluice/contract';
import type { Workflow } from '@sluice/db';
import { ignoredProperties, toRunView } from '../executions/execution-view.ts';
import { etagOf } from '../http/headers/etag.ts';
import { idempotencyKeyOf, preferredWaitMs } from '../http/headers/request-headers.ts';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';
import { mapPage } from '../paging/page.ts';
import { testUrlRoutes } from './test-url-routes.ts';
import { toRegistrationView, toTriggerUrls, toTriggerView } from './trigger-view.ts';
import { isShortPage } from './workflow-service.ts';
import { toVersionContent, toVersionView, toWorkflowView } from './workflow-view.ts';

export const workflowRoutes = defineRoutes({
  listWorkflows: defineRoute({
    method: 'get',
    path: '/workflows',
    scope: 'workflow:list',
    summary: 'List workflows, newest first',
    query: listWorkflowsQuery,
    responses: { 200: workflowPage },
    async handle({ query, caller, services }) {
      const page = await services.workflows.list(query, caller);
      return { body: page.view, shared: isShortPage(page) };
    },
  }),

  createWorkflow: defineRoute({
    method: 'post',
    path: '/workflows',
    scope: 'workflow:create',
    action: 'workflow.create',
    summary: 'Create a workflow; it is inactive',
    body: createWorkflowBody,
    responses: { 201: workflowView },
    docs: { responseHeaders: { ETag: etagHeader }, errors: ['NOT_FOUND', 'STORAGE_QUOTA_EXCEEDED'] },
    async handle({ body, caller, services }) {
      const workflow = await services.workflows.create(body, caller);
      const warnings = await services.workflows.warningsOf(workflow.graph);
      return { body: toWorkflowView(workflow, { warnings }), headers: { ETag: etagOf(workflow.updatedAtUs) } };
    },
  }),

  getWorkflow: defineRoute({
    method: 'get',
    path: '/workflows/:id',
    scope: 'workflow:read',
    summary: 'Read a workflow',
    query: getWorkflowQuery,
    responses: { 200: workflowView },
    docs: { responseHeaders: { ETag: etagHeader } },
    async handle({ params, query, caller, services }) {
      const workflow = await services.workflows.get(params.id, caller);
      return { body: toWorkflowView(workflow, query), headers: { ETag: etagOf(workflow.updatedAtUs) } };
    },
  }),

  updateWorkflow: defineRoute({
    method: 'patch',
    path: '/workflows/:id',
    scope: 'workflow:update',
    action: 'workflow.update',
    summary: 'Replace the given parts of a workflow; If-Match guards against lost updates',
    body: updateWorkflowBody,
    responses: { 200: workflowView },
    docs: {
      headers: { 'If-Match': ifMatchHeader },
      responseHeaders: { ETag: etagHeader },
      errors: ['VERSION_CONFLICT', 'STORAGE_QUOTA_EXCEEDED'],
    },
    async handle({ params, body, header, caller, services }) {
      const workflow = await services.workflows.update(params.id, body, caller, header('if-match'));
      const warnings = [...activeVersionWarnings(workflow), ...(await services.workflows.warningsOf(workflow.graph))];
      return { body: toWorkflowView(workflow, { warnings }), headers: { ETag: etagOf(workflow.updatedAtUs) } };
    },
  }),

  deleteWorkflow: defineRoute({
    method: 'delete',
    path: '/workflows/:id',
    scope: 'workflow:delete',
    action: 'workflow.delete',
    summary: 'Delete a workflow with its whole history; running executions are stopped',
    responses: { 200: deletedWorkflow },
    docs: { headers: { 'If-Match': ifMatchHeader }, errors: ['VERSION_CONFLICT'] },
    reply: async ({ params, caller, services, header }) => services.workflows.delete(params.id, caller, header('if-match')),
  }),

  activateWorkflow: defineRoute({
    method: 'post',
    path: '/workflows/:id/activate',
    scope: 'workflow:activate',
    action: 'workflow.activate',
    summary: 'Activate a version of a workflow, by default the newest; name and description label it',
    body: activateWorkflowBody,
    bodyOptional: true,
    responses: { 200: workflowView },
    docs: { responseHeaders: { ETag: etagHeader }, errors: ['CONFLICT', 'WEBHOOK_PATH_TAKEN', 'REGISTRATION_FAILED'] },
    async handle({ params, body, caller, services }) {
      const { workflow, triggers, warnings } = await services.workflows.activate(params.id, body, caller);
      const urls = triggers.flatMap((trigger) => toTriggerUrls(trigger, services.workflows.publicUrl));
      return { body: toWorkflowView(workflow, { warnings, urls }), headers: { ETag: etagOf(workflow.updatedAtUs) } };
    },
  }),

  deactivateWorkflow: defineRoute({
    method: 'post',
    path: '/workflows/:id/deactivate',
    scope: 'workflow:deactivate',
    action: 'workflow.deactivate',
    summary: 'Deactivate a workflow',
    responses: { 200: workflowView },
    docs: { responseHeaders: { ETag: etagHeader } },
    async handle({ params, caller, services }) {
      const workflow = await services.workflows.deactivate(params.id, caller);
      return { body: toWorkflowView(workflow), headers: { ETag: etagOf(workflow.updatedAtUs) } };
    },
  }),

  runWorkflow: defineRoute({
    method: 'post',
    path: '/workflows/:id/run',
    scope: 'workflow:execute',
    action: 'workflow.run',
    limit: 'run',
    summary: 'Run a workflow; responds when the run ends or the wait is over (Prefer: wait=N, respond-async)',
    body: runWorkflowBody,
    bodyOptional: true,
    responses: { 200: runView },
    docs: {
      headers: { Prefer: preferHeader, 'Idempotency-Key': idempotencyKeyHeader },
      errors: ['QUEUE_FULL', 'IDEMPOTENCY_KEY_EXECUTION_DELETED', 'STORAGE_QUOTA_EXCEEDED'],
    },
    async reply({ params, body, header, caller, services, signal, renewCaller, url, onWait }) {
      const run = await services.runs.run(params.id, body, caller, {
        waitMs: preferredWaitMs(header('prefer')),
        idempotencyKey: idempotencyKeyOf(header('idempotency-key'), caller.userId, url),
        signal,
        renewCaller,
        onWait,
      });
      return { ...toRunView(run), ...ignoredProperties(runWorkflowBody, body) };
    },
  }),

  previewExpressions: defineRoute({
    method: 'post',
    path: '/workflows/:id/expressions',
    scope: 'workflow:read',
    readOnly: true,
    summary: 'Evaluate the expressions of a node with the data of an execution; runs nothing',
    body: previewExpressionsBody,
    responses: { 200: expressionPreview },
    reply: async ({ params, body, caller, services, signal }) => services.previews.preview(params.id, body, caller, signal),
  }),

  ...testUrlRoutes,

  transferWorkflow: defineRoute({
    method: 'put',
    path: '/workflows/:id/transfer',
    scope: 'workflow:update',
    action: 'workflow.transfer',
    summary: 'Transfer a workflow, with its executions, to another project',
    body: transferWorkflowBody,
    responses: { 204: noContent },
    docs: { errors: ['LICENSE_REQUIRED', 'STORAGE_QUOTA_EXCEEDED'] },
    async reply({ params, body, caller, services }) {
      await services.transfers.transfer(params.id, body, caller);
      return null;
    },
  }),

  listWorkflowVersions: defineRoute({
    method: 'get',
    path: '/workflows/:id/versions',
    scope: 'workflow:read',
    summary: 'List the versions of a workflow, newest first',
    query: listWorkflowVersionsQuery,
    responses: { 200: workflowVersionPage },
    reply: async ({ params, query, caller, services }) =>
      mapPage(await services.workflowVersions.list(params.id, query, caller), toVersionView),
  }),

  getWorkflowVersion: defineRoute({
    method: 'get',
    path: '/workflows/:id/versions/:versionId',
    scope: 'workflow:read',
    summary: 'Read a version of a workflow with its graph',
    query: getWorkflowQuery,
    responses: { 200: workflowVersionContent },
    async reply({ params, query, caller, services }) {
      const version = await services.workflowVersions.get(params.id, params.versionId, caller);
      return toVersionContent(version, query);
    },
  }),

  listWorkflowTriggers: defineRoute({
    method: 'get',
    path: '/workflows/:id/triggers',
    scope: 'workflow:read',
    summary:
      'List the triggers and registrations of a workflow, with due times and errors; `data` is empty while it is inactive',
    responses: { 200: triggerList },
    async reply({ params, caller, services }) {
      const { triggers, registrations } = await services.workflows.listTriggers(params.id, caller);
      return {
        data: triggers.map((trigger) => toTriggerView(trigger, services.workflows.publicUrl)),
        registrations: registrations.map(toRegistrationView),
      };
    },
  }),
});

/** The active version runs until another one is activated. */
function activeVersionWarnings({ active, activeVersionId, versionId }: Workflow): WorkflowWarning[] {
  if (!active || activeVersionId === versionId) return [];
  const message = 'saved as a new version; the active version is unchanged: activate the workflow to run the new one';
  return [{ code: 'ACTIVE_VERSION_UNCHANGED', message, path: 'activeVersionId' }];
}
