import type { WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** Identifies a hold, and the workflow whose trigger is held. */
export interface HoldRef {
  holdId: string;
  workflowId: WorkflowId;
}

/** The workflow state that a valid hold applies to. */
export interface LockedHold {
  /** Graph of the active version. */
  graphHash: string;
  projectId: string;
}

/**
 * First step of each transaction that writes for a hold. `undefined`: the workflow is inactive, or
 * another worker has the trigger; nothing may be written. The workflow's row is locked first, as in
 * an activation, so that a concurrent activation commits before or after.
 */
export async function lockHold(tx: Kysely<Tables>, { holdId, workflowId }: HoldRef): Promise<LockedHold | undefined> {
  const { rows } = await sql<LockedHold>`SELECT v.graph_hash AS "graphHash", w.project_id AS "projectId"
    FROM workflows w JOIN workflow_versions v ON v.id = w.active_version_id
    WHERE w.id = ${workflowId} AND w.active FOR KEY SHARE OF w`.execute(tx);
  const held =
    await sql`SELECT FROM trigger_sources WHERE hold_id = ${holdId} AND workflow_id = ${workflowId} FOR UPDATE`.execute(tx);
  return held.rows.length > 0 ? rows[0] : undefined;
}
