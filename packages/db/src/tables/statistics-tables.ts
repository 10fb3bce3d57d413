import type { ExecutionId, ExecutionStatus, WorkflowId } from '@sluice/domain';
import type { Generated } from 'kysely';

/** Number of executions that ended in a period, by result and duration. */
export interface ExecutionStatisticsTable {
  /** Seconds of the period; see `grains`. */
  grain_s: number;
  /** Start of the period. */
  at: Date;
  workflow_id: WorkflowId;
  status: ExecutionStatus;
  /** See `duration-bins.ts`. */
  bin: number;
  count: number;
}

/** Executions up to `statistics_progress.last_id` that had not ended. */
export interface StatisticsPendingTable {
  execution_id: ExecutionId;
}

/** One row: how far the roll-up has read `executions`. */
export interface StatisticsProgressTable {
  only_row: Generated<boolean>;
  last_id: Generated<ExecutionId>;
  /** The last pending execution that was checked in turn. */
  checked_id: Generated<ExecutionId>;
  rolled_at: Generated<Date>;
}
