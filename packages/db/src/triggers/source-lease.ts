import { AppError, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** Identifies a worker's lease on a poll or a listener. */
export interface SourceLeaseRef {
  leaseId: string;
  workflowId: WorkflowId;
}

/** The workflow state that a valid lease applies to. */
export interface LockedSource {
  /** Graph of the active version. */
  graphHash: string;
  projectId: string;
}

/**
 * First step of each transaction that writes under a lease. `undefined`: the workflow is inactive,
 * or another worker has the trigger; nothing may be written then. The workflow's row is locked
 * first, as in an activation, so that a concurrent activation commits before or after.
 */
export async function lockSource(
  tx: Kysely<Tables>,
  { leaseId, workflowId }: SourceLeaseRef,
): Promise<LockedSource | undefined> {
  // A separate statement, as in `lockWorkflow`: if it also joined the version, it would look for
  // the old version after waiting for an activation, and a valid lease would seem lost.
  const active = await sql`SELECT FROM workflows WHERE id = ${workflowId} AND active FOR KEY SHARE`.execute(tx);
  if (active.rows.length === 0) return undefined;
  const { rows } = await sql<LockedSource>`SELECT v.graph_hash AS "graphHash", w.project_id AS "projectId"
    FROM trigger_sources s JOIN workflows w ON w.id = s.workflow_id JOIN workflow_versions v ON v.id = w.active_version_id
    WHERE s.hold_id = ${leaseId} AND s.workflow_id = ${workflowId} FOR UPDATE OF s`.execute(tx);
  return rows[0];
}

/** The worker has lost its lease on a poll or a listener, and may not write for it. */
export class SourceLeaseLostError extends AppError {
  constructor() {
    super({
      code: 'TRIGGER_CLOSED',
      message: 'the workflow is no longer active with this trigger, or another worker has it now',
    });
  }
}
