import type { ExpectedRequest, SuspendedRun } from '@sluice/domain';
import type { Json } from './workflow-tables.ts';

/**
 * A wait that an attempt of an execution resumed from. Kept with the execution, so that a second
 * request is refused as late.
 */
export interface ExecutionWaitTable {
  execution_id: string;
  /** The attempt that resumes. */
  attempt: number;
  kind: 'time' | 'call' | 'workflows';
  node_name: string;
  run_index: number;
  /** Start time of the node run, in milliseconds since the epoch. */
  start_time: string;
  /** The try of the node that resumes. */
  tried: number;
  /** Token that a resume request must present; unchanged until a request has used it. */
  resume_token: string;
  /** The requests that resume the execution; null unless `kind` is `call`. */
  call: Json<ExpectedRequest> | null;
  /** The request that resumed the execution, encoded by `codec.ts`. */
  event: Buffer | null;
  /**
   * The sub-executions that the execution waits for, in order; null unless `kind` is `workflows`.
   */
  children: string[] | null;
  /** For each child, whether all runs of its last node count. */
  all_runs: boolean[] | null;
  /** Whether children after a failed one are skipped. */
  stop_at_failure: boolean;
  /** Data that the node gets back with the results of the children, encoded by `codec.ts`. */
  kept: Buffer | null;
  /** For each child, the sub-node call that started it; null if the node itself did. */
  calls: string[] | null;
  /** Calls of sub-nodes in progress that count toward the limits of AI nodes, if any. */
  counted: Json<NonNullable<SuspendedRun['counted']>> | null;
}

/**
 * A failed execution whose error workflow is still to be started; written by a trigger in the
 * statement that ends it.
 */
export interface ErrorStartTable {
  execution_id: string;
  error_workflow_id: string;
}
