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

/** Access to other workflows. Errors are `NodeOperationError`s. */
export interface WorkflowAccess {
  /**
   * Throws `WORKFLOW_NOT_CALLABLE` if the workflow does not exist, this workflow may not call it,
   * or calls are nested too deeply.
   */
  find(id: string): Promise<CallableWorkflow>;
  /**
   * Creates a workflow from JSON that the node supplies. It runs as part of the calling workflow.
   * Throws the errors of `find`.
   */
  define(workflow: JsonObject): Promise<CallableWorkflow>;
  /**
   * The workflow and version of this execution, and the node at which this execution ends, if it is
   * requested. Throws `WORKFLOW_NOT_CALLABLE` if calls are nested too deeply.
   */
  current(): { workflow: CallableWorkflow; destinationNode?: string | undefined };
  /** Starts runs without waiting for them. */
  start(runs: readonly WorkflowRun[]): Promise<ExecutionId[]>;
}
