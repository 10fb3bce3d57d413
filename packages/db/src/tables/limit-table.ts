import type { WhenFull } from '@sluice/domain';
import type { Generated } from 'kysely';

/** A limit of one workflow, project, or credential; exactly one of the three ids is set. */
export interface ExecutionLimitTable {
  id: Generated<number>;
  workflow_id: string | null;
  project_id: string | null;
  credential_id: string | null;
  /** Maximum number of executions that run at once; null: any number. */
  max_running: number | null;
  /** Maximum number of executions that start within a second; null: any number. */
  per_second: number | null;
  /** Whether a start beyond the limit of a workflow waits or ends. */
  when_full: Generated<WhenFull>;
  /** Starts within the last second, if `per_second` is set. */
  starts: Generated<Date[]>;
}
