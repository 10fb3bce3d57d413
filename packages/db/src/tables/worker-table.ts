import type { Generated } from 'kysely';

/** One row per living worker process: its lease. No row, no right to write for an execution. */
export interface WorkerTable {
  id: string;
  hostname: string;
  pid: number;
  concurrency: number;
  started_at: Generated<Date>;
  /** Database time. */
  lease_expires_at: Date;
}

/** A set of node types of installed packages that some worker has: one row for each set, however many workers have it. */
export interface WorkerTypesTable {
  /** Sorted: identifiers, and `<identifier>@<version>` for each version. */
  types: string[];
  /** When a worker that has them was last there. */
  seen_at: Date;
}
