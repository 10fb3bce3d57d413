import { deleteExecutions } from './delete-executions.ts';
import { getExecution } from './get-execution.ts';
import { getExecutionWorkflow } from './get-execution-workflow.ts';
import { listExecutions } from './list-executions.ts';
import { retryExecution } from './retry-execution.ts';
import { stopExecution } from './stop-execution.ts';
import { stopManyExecutions } from './stop-many-executions.ts';
import { streamChanges } from './stream-changes.ts';
import { streamEvents } from './stream-events.ts';
import { updateExecution } from './update-execution.ts';

export const executionRoutes = [
  listExecutions,
  stopManyExecutions,
  deleteExecutions,
  getExecution,
  getExecutionWorkflow,
  updateExecution,
  streamEvents,
  streamChanges,
  stopExecution,
  retryExecution,
];
