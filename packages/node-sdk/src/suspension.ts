import type { CallableWorkflow, ExecutionId, JsonObject, WorkflowRun } from '@sluice/domain';

export type {
  CallableWorkflow,
  ExpectedRequest,
  RequestSuspension,
  ResumeEvent,
  ResumeRequest,
  Suspension,
  TimeSuspension,
  WorkflowRun,
  WorkflowRunResult,
  WorkflowSuspension,
} from '@sluice/domain';

/** The way to other workflows. Errors are `NodeOperationError`s. */
export interface WorkflowAccess {
  /** Throws `WORKFLOW_NOT_CALLABLE`: there is no such workflow, or this one may not call it, or calls go too deep. */
  find(id: string): Promise<CallableWorkflow>;
  /** A workflow that the node brings along, as JSON. It runs as a part of the calling workflow. Throws as `find`. */
  define(workflow: JsonObject): Promise<CallableWorkflow>;
  /** Starts runs that nobody waits for. */
  start(runs: readonly WorkflowRun[]): Promise<ExecutionId[]>;
}
