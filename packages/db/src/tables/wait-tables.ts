import type { ResumeCall } from '@sluice/domain';
import type { Json } from './workflow-tables.ts';

/** What an attempt of an execution waited for before it went on. Kept with the execution: a second call is told that it comes late. */
export interface ExecutionWaitTable {
  execution_id: string;
  /** The attempt that goes on. */
  attempt: number;
  kind: 'time' | 'call' | 'workflows';
  node_name: string;
  run_index: number;
  /** When the node run began, in milliseconds since the epoch. */
  start_time: string;
  /** Which of the node's tries goes on. */
  tried: number;
  /** What a call has to know; it stays the same until a call has used it. */
  resume_token: string;
  /** Which calls go on with it; null unless `kind` is `call`. */
  call: Json<ResumeCall> | null;
  /** The call that came, encoded as `codec.ts` says. */
  event: Buffer | null;
  /** The executions that it called, in their order; null unless `kind` is `workflows`. */
  children: string[] | null;
  /** Of each child, whether all runs of its last node count. */
  all_runs: boolean[] | null;
  /** Whether the children after one that failed do not run. */
  stop_at_failure: boolean;
}

/** An execution that has failed and whose error workflow is still to be started; a trigger writes it in the statement that ends it. */
export interface ErrorStartTable {
  execution_id: string;
  error_workflow_id: string;
}
