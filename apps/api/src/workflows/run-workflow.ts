import { idempotencyKeyHeader, preferHeader, runView, runWorkflowBody } from '@sluice/contract';
import { ignoredProperties, toRunView } from '../executions/execution-view.ts';
import { defineRoute } from '../http/define-route.ts';
import { idempotencyKeyOf, preferredWaitMs } from '../http/request-headers.ts';

export const runWorkflow = defineRoute({
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
  async handle({ params, body, header, caller, services, signal, url, onWait }) {
    const run = await services.runs.run(params.id, body, caller, {
      waitMs: preferredWaitMs(header('prefer')),
      idempotencyKey: idempotencyKeyOf(header('idempotency-key'), caller.userId, url),
      signal,
      onWait,
    });
    return { status: 200, body: { ...toRunView(run), ...ignoredProperties(runWorkflowBody, body) } };
  },
});
