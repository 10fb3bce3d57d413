import type { ErrorRecord, ExecutionMode, ExecutionStatus } from '@sluice/domain';
import type { Generated } from 'kysely';
import type { Json } from './workflow-tables.ts';

/** Narrow and hot: one row per run, its source of truth. Run data is in `node_runs`. */
export interface ExecutionTable {
  /** Increases with time; a decimal string outside the database. */
  id: Generated<string>;
  workflow_id: string;
  /**
   * The workflow's project; updated within seconds when the workflow moves (`execution_moves`).
   * Access depends on the workflow's current project.
   */
  project_id: string;
  graph_hash: string;
  /** Null: the graph came with the request and is not a saved version. */
  version_id: string | null;
  status: ExecutionStatus;
  mode: ExecutionMode;
  /** 1-based; every write of a worker is guarded by it. */
  attempt: Generated<number>;
  /** How often closing workers have handed it back while it ran. */
  handed_back: Generated<number>;
  /**
   * The worker that claimed it; null: unclaimed. A running retry starts unclaimed (Contract 4.6).
   */
  worker_id: string | null;
  user_id: string | null;
  retry_of: string | null;
  retry_success_id: string | null;
  created_at: Generated<Date>;
  /**
   * When a job for it was last enqueued; read by the sweeper. `infinity`: it must have no job,
   * because it waits for its sub-executions, for its turn among its siblings, or for a limit
   * (`limit_ids`). While `waiting`: when the wait started.
   */
  queued_at: Generated<Date>;
  /**
   * With `queued_at = infinity`: the one limit (`execution_limits`) that blocks it. Otherwise the
   * limits that it counts toward: while a worker runs it, and before that, once it has been
   * unblocked. Null if there are none.
   */
  limit_ids: number[] | null;
  started_at: Date | null;
  stopped_at: Date | null;
  /**
   * Time limit of a run in milliseconds, or its remaining time after a limit blocked it or a worker
   * handed it back; null: no limit.
   */
  timeout_ms: number | null;
  deadline_at: Date | null;
  /** The execution that called it and waits for it; if the parent ends, so does this one. */
  parent_execution_id: string | null;
  /** Number of calls between it and the execution that a trigger or a user started. */
  call_depth: Generated<number>;
  /** The top execution of these calls, which may have been deleted. Null: itself. */
  root_execution_id: string | null;
  /** For an execution of an error workflow: the failed execution that started it. */
  error_of: string | null;
  /** When a waiting execution resumes by time; null if it does not. */
  resume_at: Date | null;
  /** Small (bounded by `toErrorRecord`); null unless the run failed. */
  error: Json<ErrorRecord> | null;
  /** When its workflow's save policy deletes it; null if it does not. */
  discard_at: Date | null;
  /**
   * Bytes of its input, node runs (encoded), and files: at first of the input only; of all of them
   * once it waits or has ended.
   */
  stored_bytes: Generated<string>;
}

/** Input of an execution besides its graph; most have none. */
export interface ExecutionInputTable {
  execution_id: string;
  /** Encoded `ExecutionInput`, see `codec.ts`. */
  data: Buffer;
}

/** One row per finished node run, appended and never rewritten. */
export interface NodeRunTable {
  execution_id: string;
  /** Order in which the node runs of an execution ended, from 0. */
  seq: number;
  node_name: string;
  run_index: number;
  failed: boolean;
  /** Milliseconds since the epoch, and duration in milliseconds: as in `data`. */
  start_time: string | null;
  execution_time: number | null;
  /** Encoded `NodeRun`, see `codec.ts`. */
  data: Buffer;
}

/** An idempotency key: a repeated start with it within 24 hours returns the same execution. */
export interface IdempotencyKeyTable {
  user_id: string;
  path: string;
  key: string;
  /** The execution may have been deleted. */
  execution_id: string;
  created_at: Generated<Date>;
}

/**
 * A workflow that moved to another project and whose executions still have to follow: they no
 * longer count as the old project's.
 */
export interface ExecutionMoveTable {
  workflow_id: string;
  /**
   * Executions with this id or a greater one are done in the current pass; null: the pass has not
   * started.
   */
  before_id: string | null;
  /** The second pass covers executions that were being inserted while the workflow moved. */
  last_pass: Generated<boolean>;
  due_at: Generated<Date>;
}
