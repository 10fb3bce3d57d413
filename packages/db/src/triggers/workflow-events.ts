import type { ExecutionId, Item, WorkflowEvent, WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { ExecutionInput } from '../executions/row/execution.ts';
import { encodeJson } from '../json/codec.ts';
import type { Tables } from '../tables/tables.ts';

interface Listening {
  id: string;
  node_name: string;
  now: Date;
}

/**
 * Last part of the transaction that activates a workflow, under its lock: inserts an execution of
 * the active version for each node that subscribes to the event. It commits with the activation, so
 * each event has exactly one execution. A full project queue does not prevent it.
 */
export async function startForEvent(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  event: WorkflowEvent | undefined,
): Promise<ExecutionId[]> {
  if (event === undefined) return [];
  const { rows } = await sql<Listening>`SELECT id, node_name, now() AS now FROM triggers
    WHERE workflow_id = ${workflowId} AND kind = 'workflow' AND spec::jsonb -> 'events' ? ${event}
    ORDER BY node_name, ordinal`.execute(tx);
  const started: ExecutionId[] = [];
  for (const trigger of rows) started.push(await start(tx, workflowId, trigger, itemOf(event, trigger.now)));
  return started;
}

function itemOf(event: WorkflowEvent, at: Date): Item {
  return { json: { event, timestamp: at.toISOString() } };
}

async function start(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  { id, node_name }: Listening,
  item: Item,
): Promise<ExecutionId> {
  const input: ExecutionInput = { trigger: { node: node_name, items: [item] } };
  const { rows } = await sql<{ id: ExecutionId }>`
    WITH inserted AS (
      INSERT INTO executions (workflow_id, project_id, graph_hash, version_id, status, mode, timeout_ms)
      SELECT w.id, w.project_id, v.graph_hash, v.id, 'new', 'trigger', g.timeout_ms
      FROM workflows w JOIN workflow_versions v ON v.id = w.active_version_id
      JOIN workflow_graphs g ON g.workflow_id = w.id AND g.hash = v.graph_hash
      WHERE w.id = ${workflowId}
      RETURNING id
    ), input AS (
      INSERT INTO execution_inputs (execution_id, data) SELECT id, ${encodeJson(input)} FROM inserted
    )
    UPDATE triggers SET last_execution_id = inserted.id FROM inserted WHERE triggers.id = ${id} RETURNING inserted.id`.execute(
    tx,
  );
  const [row] = rows;
  if (!row) throw new TypeError(`workflow ${workflowId} has an activation event but is not active`);
  return row.id;
}
