import type { ListenTrigger, PollTrigger, WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** A poll or a listener with its place, as `replaceTriggers` has written it. */
export interface PlacedSource {
  nodeName: string;
  ordinal: number;
  spec: PollTrigger | ListenTrigger;
  /** Of a package; `undefined`: every worker has it. */
  foreignType: string | undefined;
}

/**
 * Part of the transaction that replaces the triggers of a workflow, after that. A source that stays as it was keeps its cursor and whoever has it; every
 * other hold is void from here on. A workflow that nothing triggers any more was deactivated: its cursors are kept for its next activation.
 */
export async function replaceSources(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  sources: readonly PlacedSource[],
  { keepCursors }: { keepCursors: boolean },
): Promise<void> {
  const names = sources.map(({ nodeName }) => nodeName);
  const ordinals = sources.map(({ ordinal }) => ordinal);
  const fingerprints = sources.map(({ spec }) => spec.fingerprint);
  const foreignTypes = sources.map(({ foreignType }) => foreignType ?? null);
  const isGone = sql`workflow_id = ${workflowId} AND (node_name, ordinal) NOT IN
    (SELECT * FROM unnest(${names}::text[], ${ordinals}::smallint[]))`;
  if (keepCursors) {
    await sql`UPDATE trigger_sources SET hold_id = NULL, worker_id = NULL, held_until = NULL WHERE ${isGone}`.execute(tx);
  } else await sql`DELETE FROM trigger_sources WHERE ${isGone}`.execute(tx);
  if (sources.length === 0) return;
  await sql`INSERT INTO trigger_sources AS s (workflow_id, node_name, ordinal, fingerprint, foreign_type)
    SELECT ${workflowId}, i.node_name, i.ordinal, i.fingerprint, i.foreign_type
    FROM unnest(${names}::text[], ${ordinals}::smallint[], ${fingerprints}::text[], ${foreignTypes}::text[])
      AS i (node_name, ordinal, fingerprint, foreign_type)
    ON CONFLICT (workflow_id, node_name, ordinal) DO UPDATE SET fingerprint = excluded.fingerprint, foreign_type = excluded.foreign_type, cursor = NULL, hold_id = NULL,
      worker_id = NULL, held_until = NULL, last_success_at = NULL
    WHERE s.fingerprint <> excluded.fingerprint`.execute(tx);
}
