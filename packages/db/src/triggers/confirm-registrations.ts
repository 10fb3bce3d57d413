import type { WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { tooLate } from './registration-lease.ts';

/** Registrations that an activation has made at remote services, and has leased. */
export interface AppliedRegistrations {
  registrations: readonly { id: string; nodeName: string }[];
  /** Ids of old registrations of the workflow that are already removed. */
  ended: readonly string[];
  heldBy: string;
}

/**
 * Part of the transaction that activates a workflow, under its lock: exactly the given
 * registrations are wanted from now on; adopted ones belong to the workflow. Throws `ConflictError`
 * if the lease has been lost.
 */
export async function confirmRegistrations(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  brought: AppliedRegistrations,
): Promise<void> {
  // This comes first, because nodes may have swapped their names.
  await markRegistrationsUnwanted(tx, workflowId);
  const { registrations, ended, heldBy } = brought;
  if (ended.length > 0)
    await sql`DELETE FROM registrations WHERE id = ANY (${ended}::bigint[]) AND held_by = ${heldBy}`.execute(tx);
  if (registrations.length > 0) await want(tx, workflowId, brought);
}

async function want(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  { registrations, heldBy }: AppliedRegistrations,
): Promise<void> {
  const [ids, names] = [registrations.map(({ id }) => id), registrations.map(({ nodeName }) => nodeName)];
  const { numAffectedRows } = await sql`
    UPDATE registrations r SET wanted = true, wanted_at = now(), workflow_id = w.id, project_id = w.project_id, node_name = i.node_name,
      due_at = NULL, held_by = NULL, held_until = NULL, failures = 0, last_error = NULL, unwanted_at = NULL
    FROM unnest(${ids}::bigint[], ${names}::text[]) AS i (id, node_name), workflows w
    WHERE r.id = i.id AND w.id = ${workflowId} AND r.held_by = ${heldBy} AND r.held_until > now()`.execute(tx);
  if (Number(numAffectedRows) < ids.length) throw tooLate();
}

/**
 * Part of the transaction that deactivates a workflow, under its lock: its registrations are no
 * longer wanted.
 */
export async function markRegistrationsUnwanted(tx: Kysely<Tables>, workflowId: WorkflowId): Promise<void> {
  await sql`UPDATE registrations SET wanted = false, due_at = now(), failures = 0, last_error = NULL, unwanted_at = now()
    WHERE workflow_id = ${workflowId} AND wanted`.execute(tx);
}
