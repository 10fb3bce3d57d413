import type { ExecutionService } from './executions/execution-service.ts';
import type { RetryService } from './executions/retry-service.ts';
import type { RunService } from './executions/run-service.ts';
import type { WorkflowService } from './workflows/workflow-service.ts';

/** What handlers call: it decides, knows nothing of HTTP, and is built once in `context.ts`. */
export interface Services {
  workflows: WorkflowService;
  executions: ExecutionService;
  runs: RunService;
  retries: RetryService;
}
