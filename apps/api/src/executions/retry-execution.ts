import { idempotencyKeyHeader, retryExecutionBody, retryView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { idempotencyKeyOf } from '../http/request-headers.ts';
import { toRetryView } from './execution-view.ts';

export const retryExecution = defineRoute({
  method: 'post',
  path: '/executions/:id/retry',
  scope: 'execution:retry',
  action: 'execution.retry',
  limit: 'run',
  summary: 'Retry a failed execution from the failed node',
  body: retryExecutionBody,
  bodyOptional: true,
  responses: { 200: retryView },
  docs: { headers: { 'Idempotency-Key': idempotencyKeyHeader }, errors: ['QUEUE_FULL', 'IDEMPOTENCY_KEY_EXECUTION_DELETED'] },
  async handle({ params, body, header, caller, services, url }) {
    const idempotencyKey = idempotencyKeyOf(header('idempotency-key'), caller.userId, url);
    const execution = await services.retries.retry(params.id, caller, { ...body, idempotencyKey });
    return { status: 200, body: toRetryView(execution) };
  },
});
