import type { Generated } from 'kysely';

/**
 * One row per live worker process: its lease. Without a row, it may not write for any execution.
 */
export interface WorkerTable {
  id: string;
  hostname: string;
  pid: number;
  concurrency: number;
  started_at: Generated<Date>;
  /** Database time. */
  lease_expires_at: Date;
}

/**
 * A set of node types of installed packages that at least one worker has: one row per set, shared
 * by all workers that have it.
 */
export interface WorkerTypesTable {
  /** Sorted: identifiers, and `<identifier>@<version>` for each version. */
  types: string[];
  /** When a worker with these types was last alive. */
  seen_at: Date;
}
