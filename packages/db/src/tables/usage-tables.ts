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
