import { ConflictError, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** What an activation has brought about at remote services, and holds. */
export interface BroughtAbout {
  registrations: readonly { id: string; nodeName: string }[];
  /** Ids of those that the workflow had, and that have been ended already. */
  ended: readonly string[];
  heldBy: string;
}

/**
 * Part of the transaction that activates a workflow, under its lock: what was brought about for it is wanted from now on, and nothing else; what it has taken
 * over belongs to it. Throws `ConflictError` where the hold has been lost meanwhile.
 */
export async function confirmRegistrations(tx: Kysely<Tables>, workflowId: WorkflowId, brought: BroughtAbout): Promise<void> {
  // First of all of them: nodes may have swapped their names.
  await forsakeRegistrations(tx, workflowId);
  const { registrations, ended, heldBy } = brought;
  if (ended.length > 0)
    await sql`DELETE FROM registrations WHERE id = ANY (${ended}::bigint[]) AND held_by = ${heldBy}`.execute(tx);
  if (registrations.length > 0) await want(tx, workflowId, brought);
}

async function want(tx: Kysely<Tables>, workflowId: WorkflowId, { registrations, heldBy }: BroughtAbout): Promise<void> {
  const [ids, names] = [registrations.map(({ id }) => id), registrations.map(({ nodeName }) => nodeName)];
  const { numAffectedRows } = await sql`
    UPDATE registrations r SET wanted = true, wanted_at = now(), workflow_id = w.id, project_id = w.project_id, node_name = i.node_name,
      due_at = NULL, held_by = NULL, held_until = NULL, failures = 0, last_error = NULL, unwanted_at = NULL
    FROM unnest(${ids}::bigint[], ${names}::text[]) AS i (id, node_name), workflows w
    WHERE r.id = i.id AND w.id = ${workflowId} AND r.held_by = ${heldBy} AND r.held_until > now()`.execute(tx);
  if (Number(numAffectedRows) < ids.length) throw new ConflictError('registering at remote services took too long: try again');
}

/** Part of the transaction that deactivates a workflow, under its lock: none of its registrations is wanted any more. */
export async function forsakeRegistrations(tx: Kysely<Tables>, workflowId: WorkflowId): Promise<void> {
  await sql`UPDATE registrations SET wanted = false, due_at = now(), failures = 0, last_error = NULL, unwanted_at = now()
    WHERE workflow_id = ${workflowId} AND wanted`.execute(tx);
}
