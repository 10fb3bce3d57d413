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
