import type { Generated, JSONColumnType } from 'kysely';

export interface WorkerPackage {
  name: string;
  version: string;
}

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
  /** Null for a worker of an older version, which does not report. */
  version: string | null;
  /** Installed packages of node types: name and version. */
  packages: JSONColumnType<WorkerPackage[]>;
  /** Executions in flight. */
  active: number | null;
  /** Maximum number of executions that it currently accepts. */
  capacity: number | null;
  /** Resident memory; a decimal string. */
  memory_bytes: string | null;
  /** Null if no limit is set. */
  memory_limit_bytes: string | null;
  /** Longest timer delay since the previous report. */
  loop_lag_ms: number | null;
  reported_at: Date | null;
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
