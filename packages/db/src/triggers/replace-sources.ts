import type { ListenTrigger, PollTrigger, WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { keyOf, pairUp } from './pair-up.ts';

/** A poll or a listener with its position in `replaceTriggers`. */
export interface NodeSource {
  nodeName: string;
  ordinal: number;
  spec: PollTrigger | ListenTrigger;
  nodeId: string | undefined;
  /** The node type if it is from an installed package; `undefined` if every worker has it. */
  foreignType: string | undefined;
}

/**
 * Part of the transaction that replaces the triggers of a workflow, after that. An unchanged source
 * keeps its cursor and its worker; all other leases become invalid. After a rename of the node, its
 * cursor is kept. If the workflow no longer has triggers, it was deactivated: cursors are kept for
 * its next activation.
 */
export async function replaceSources(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  sources: readonly NodeSource[],
  { keepCursors }: { keepCursors: boolean },
): Promise<void> {
  if (keepCursors) {
    await sql`UPDATE trigger_sources SET hold_id = NULL, worker_id = NULL, held_until = NULL
      WHERE workflow_id = ${workflowId}`.execute(tx);
    return;
  }
  const moves = await movesOf(tx, workflowId, sources);
  await deleteOthers(tx, workflowId, sources, moves);
  if (moves.length > 0) await move(tx, workflowId, moves);
  if (sources.length > 0) await upsert(tx, workflowId, sources);
}

/** A source that moves to another position. */
interface Move {
  from: { node_name: string; ordinal: number };
  to: NodeSource;
}

/**
 * Matches nodes by id. If a node has no id, or several share it, matches by name; or, if exactly
 * one node was removed and one with the same fingerprint was added, pairs these two.
 */
async function movesOf(tx: Kysely<Tables>, workflowId: WorkflowId, sources: readonly NodeSource[]): Promise<Move[]> {
  const present = await tx
    .selectFrom('trigger_sources')
    .select(['node_name', 'ordinal', 'fingerprint', 'node_id'])
    .where('workflow_id', '=', workflowId)
    .execute();
  type Present = (typeof present)[number];
  const isSameTrigger = (was: Present, { nodeName, ordinal }: NodeSource) =>
    was.node_name === nodeName && was.ordinal === ordinal;
  const pairs = pairUp(present, sources, [
    {
      ofPresent: ({ node_id, fingerprint }) => (node_id === null ? undefined : keyOf(node_id, fingerprint)),
      ofWanted: ({ nodeId, spec }) => (nodeId === undefined ? undefined : keyOf(nodeId, spec.fingerprint)),
      alone: true,
    },
    {
      ofPresent: ({ node_name, ordinal, fingerprint }) => keyOf(node_name, ordinal, fingerprint),
      ofWanted: ({ nodeName, ordinal, spec }) => keyOf(nodeName, ordinal, spec.fingerprint),
    },
    { ofPresent: ({ fingerprint }) => fingerprint, ofWanted: ({ spec }) => spec.fingerprint, alone: true },
  ]);
  return [...pairs].flatMap(([to, from]) => (isSameTrigger(from, to) ? [] : [{ from, to }]));
}

/** Frees the positions that moves need. */
async function deleteOthers(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  sources: readonly NodeSource[],
  moves: readonly Move[],
): Promise<void> {
  const targets = new Set(moves.map(({ to }) => to));
  const staying = sources.filter((source) => !targets.has(source));
  const names = [...staying.map(({ nodeName }) => nodeName), ...moves.map(({ from }) => from.node_name)];
  const ordinals = [...staying.map(({ ordinal }) => ordinal), ...moves.map(({ from }) => from.ordinal)];
  await sql`DELETE FROM trigger_sources WHERE workflow_id = ${workflowId}
    AND (node_name, ordinal) NOT IN (SELECT * FROM unnest(${names}::text[], ${ordinals}::smallint[]))`.execute(tx);
}

/** Moves through unused positions, since names may be swapped. */
async function move(tx: Kysely<Tables>, workflowId: WorkflowId, moves: readonly Move[]): Promise<void> {
  const [fromNames, fromOrdinals] = [moves.map(({ from }) => from.node_name), moves.map(({ from }) => from.ordinal)];
  const [toNames, toOrdinals] = [moves.map(({ to }) => to.nodeName), moves.map(({ to }) => to.ordinal)];
  await sql`UPDATE trigger_sources s SET node_name = m.to_name, ordinal = -1 - m.to_ordinal, hold_id = NULL, worker_id = NULL, held_until = NULL
    FROM unnest(${fromNames}::text[], ${fromOrdinals}::smallint[], ${toNames}::text[], ${toOrdinals}::smallint[])
      AS m (from_name, from_ordinal, to_name, to_ordinal)
    WHERE s.workflow_id = ${workflowId} AND s.node_name = m.from_name AND s.ordinal = m.from_ordinal`.execute(tx);
  await sql`UPDATE trigger_sources SET ordinal = -1 - ordinal WHERE workflow_id = ${workflowId} AND ordinal < 0`.execute(tx);
}

async function upsert(tx: Kysely<Tables>, workflowId: WorkflowId, sources: readonly NodeSource[]): Promise<void> {
  const names = sources.map(({ nodeName }) => nodeName);
  const ordinals = sources.map(({ ordinal }) => ordinal);
  const fingerprints = sources.map(({ spec }) => spec.fingerprint);
  const foreignTypes = sources.map(({ foreignType }) => foreignType ?? null);
  const nodeIds = sources.map(({ nodeId }) => nodeId ?? null);
  await sql`INSERT INTO trigger_sources AS s (workflow_id, node_name, ordinal, fingerprint, foreign_type, node_id)
    SELECT ${workflowId}, i.node_name, i.ordinal, i.fingerprint, i.foreign_type, i.node_id
    FROM unnest(${names}::text[], ${ordinals}::smallint[], ${fingerprints}::text[], ${foreignTypes}::text[], ${nodeIds}::text[])
      AS i (node_name, ordinal, fingerprint, foreign_type, node_id)
    ON CONFLICT (workflow_id, node_name, ordinal) DO UPDATE SET fingerprint = excluded.fingerprint, foreign_type = excluded.foreign_type,
      node_id = excluded.node_id, cursor = NULL, hold_id = NULL, worker_id = NULL, held_until = NULL, last_success_at = NULL
    WHERE s.fingerprint <> excluded.fingerprint`.execute(tx);
  await sql`UPDATE trigger_sources s SET node_id = i.node_id
    FROM unnest(${names}::text[], ${ordinals}::smallint[], ${nodeIds}::text[]) AS i (node_name, ordinal, node_id)
    WHERE s.workflow_id = ${workflowId} AND s.node_name = i.node_name AND s.ordinal = i.ordinal
      AND s.node_id IS DISTINCT FROM i.node_id`.execute(tx);
}
