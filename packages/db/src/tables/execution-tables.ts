import type { ErrorRecord, ExecutionMode, ExecutionStatus } from '@sluice/domain';
import type { Generated } from 'kysely';
import type { Json } from './workflow-tables.ts';

/** Narrow and hot: one row per run, the truth about it. Run data live in `node_runs`. */
export interface ExecutionTable {
  /** Grows with time; outside it is a decimal string. */
  id: Generated<string>;
  workflow_id: string;
  /** The workflow's project; follows it within seconds when it moves (`execution_moves`). What decides is the workflow's own. */
  project_id: string;
  graph_hash: string;
  /** Null: the graph came with the request and is no saved version. */
  version_id: string | null;
  status: ExecutionStatus;
  mode: ExecutionMode;
  /** 1-based; every write of a worker is guarded by it. */
  attempt: Generated<number>;
  /** The worker that claimed it; null: nobody yet. A running retry starts unclaimed (Contract 4.6). */
  worker_id: string | null;
  user_id: string | null;
  retry_of: string | null;
  retry_success_id: string | null;
  created_at: Generated<Date>;
  /**
   * When a job for it was last put on the queue; what the sweeper looks at. `infinity`: none is to be there, since it waits for what it
   * calls, or for its turn among what another one calls. While `waiting`: since when.
   */
  queued_at: Generated<Date>;
  started_at: Date | null;
  stopped_at: Date | null;
  /** Milliseconds a run may take; null: no limit. */
  timeout_ms: number | null;
  deadline_at: Date | null;
  /** The execution that called it and waits for it; both end together. */
  parent_execution_id: string | null;
  /** How many calls lie between it and what a trigger or a user has started. */
  call_depth: Generated<number>;
  /** The failed execution that this one, of an error workflow, is told of. */
  error_of: string | null;
  /** When a waiting execution goes on by itself; null: not by time. */
  resume_at: Date | null;
  /** Small (bounded by `toErrorRecord`); null unless the run failed. */
  error: Json<ErrorRecord> | null;
  /** When it is deleted, by the save policy of its workflow; null: never for that reason. */
  discard_at: Date | null;
  /** Bytes of its input, node runs (encoded) and files: of the input at first, of all once it waits or has ended. */
  stored_bytes: Generated<string>;
}

/** What a run was started with beyond its graph; most runs have none. */
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
  /** Milliseconds since the epoch, and of duration: as in `data`. */
  start_time: string | null;
  execution_time: number | null;
  /** Encoded `NodeRun`, see `codec.ts`. */
  data: Buffer;
}

/** A caller's token that makes a repeated start within 24 hours answer with the same execution. */
export interface IdempotencyKeyTable {
  user_id: string;
  path: string;
  key: string;
  /** May have been deleted. */
  execution_id: string;
  created_at: Generated<Date>;
}

/** A workflow that has changed its project, and whose executions still have to follow: none of them counts as the old project's. */
export interface ExecutionMoveTable {
  workflow_id: string;
  /** Executions from this id on have been seen by the pass under way; null: it has not begun. */
  before_id: string | null;
  /** The second pass is for what was being inserted while the workflow moved. */
  last_pass: Generated<boolean>;
  due_at: Generated<Date>;
}
