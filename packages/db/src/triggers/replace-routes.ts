import { ConflictError, type FormTrigger, type WebhookTrigger, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import {
  hasSameRequests,
  holderText,
  inOneOrder,
  insertRoutes,
  lockPatterns,
  type NewRoute,
  type RouteKey,
  routesOf,
} from './new-routes.ts';

/** A trigger with its position in `replaceTriggers`. */
export interface NodeWebhook {
  nodeName: string;
  ordinal: number;
  spec: WebhookTrigger | FormTrigger;
}

/** A route of a node. */
interface Route extends NewRoute {
  kind: NodeWebhook['spec']['kind'];
  ordinal: number;
}

/** The routes of triggers, in the order in which they are inserted. */
export function routesOfAll(webhooks: readonly NodeWebhook[]): Route[] {
  return inOneOrder(
    webhooks.flatMap(({ nodeName, ordinal, spec }) =>
      routesOf(spec).map((key) => ({ kind: spec.kind, nodeName, ordinal, ...key })),
    ),
  );
}

/**
 * Part of the transaction that replaces the routes of a workflow, under its lock, before any route
 * is inserted or deleted: transactions that want the same route wait for each other here.
 */
export async function lockRoutes(tx: Kysely<Tables>, workflowId: WorkflowId, routes: readonly RouteKey[]): Promise<void> {
  if (routes.length === 0) return; // deletions need no lock
  const present = await tx
    .selectFrom('webhook_routes as r')
    .innerJoin('triggers as t', 't.id', 'r.trigger_id')
    .select('r.pattern')
    .where('t.workflow_id', '=', workflowId)
    .execute();
  await lockPatterns(tx, [...present, ...routes]);
}

/**
 * Part of the transaction that replaces the triggers of a workflow, after that: replaces its
 * routes. Throws `ConflictError` `WEBHOOK_PATH_TAKEN`, with the workflow and the node, for a path
 * that another node has, or that matches requests of another workflow's route.
 */
export async function replaceRoutes(tx: Kysely<Tables>, workflowId: WorkflowId, routes: readonly Route[]): Promise<void> {
  await sql`DELETE FROM webhook_routes r USING triggers t WHERE t.id = r.trigger_id AND t.workflow_id = ${workflowId}`.execute(
    tx,
  );
  const conflict = await insertRoutes(tx, routes, {
    others: sql`(webhook_routes r JOIN triggers t ON t.id = r.trigger_id AND t.workflow_id <> ${workflowId})`,
    insert: sql`INSERT INTO webhook_routes (kind, pattern, method, output, has_parameters, head, parts, trigger_id)
      SELECT w.kind, w.pattern, w.method, w.output, w.has_parameters, w.head, w.parts, t.id
      FROM free w JOIN triggers t ON t.workflow_id = ${workflowId} AND t.node_name = w.node_name AND t.ordinal = w.ordinal`,
  });
  if (conflict) throw await takenError(tx, workflowId, conflict);
}

async function takenError(tx: Kysely<Tables>, workflowId: WorkflowId, route: Route): Promise<ConflictError> {
  const { kind, nodeName, pattern, method } = route;
  const holder = await tx
    .selectFrom('webhook_routes as r')
    .innerJoin('triggers as t', 't.id', 'r.trigger_id')
    .innerJoin('workflows as w', 'w.id', 't.workflow_id')
    .innerJoin('workflows as activated', (join) => join.on('activated.id', '=', workflowId))
    .select(['w.id', 'w.name', 't.node_name'])
    .select((eb) => eb('w.project_id', '=', eb.ref('activated.project_id')).as('isVisible'))
    .where(hasSameRequests(route, sql`t.workflow_id <> ${workflowId}`))
    .executeTakeFirst();
  const what = kind === 'form' ? `the form ${pattern}` : `the webhook ${method} ${pattern}`;
  const message = `${what} of node "${nodeName}" is taken by ${holderText(holder)}`;
  return new ConflictError(message, 'WEBHOOK_PATH_TAKEN');
}
