import type { Generated } from 'kysely';

/**
 * Bytes stored by the executions of a project, without `project_usage_changes`. The project may
 * have been deleted.
 */
export interface ProjectUsageTable {
  project_id: string;
  /** A decimal string. */
  bytes: string;
}

/** A change that is not in `project_usage` yet; written by triggers of `executions`. */
export interface ProjectUsageChangeTable {
  seq: Generated<string>;
  project_id: string;
  bytes: string;
}

/** AI usage of an execution tree: the top execution and all executions that it called. */
export interface AiUsageTable {
  /** The top execution; it may have been deleted. */
  root_execution_id: string;
  model_calls: number;
  tool_calls: number;
  tokens: number;
  cost: number;
  /** Time of the last change. */
  used_at: Generated<Date>;
}
