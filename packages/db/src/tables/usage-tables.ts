import type { Generated } from 'kysely';

/** Bytes that the executions of a project store, without `project_usage_changes`. May name a project that has been deleted. */
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
