import { ConflictError, type WebhookTrigger, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Tables } from '../tables/tables.ts';

/** A method and a path that an active workflow is called at. */
export interface WebhookRoute {
  method: string;
  workflowId: WorkflowId;
  nodeName: string;
  output: number;
  spec: WebhookTrigger;
  /** What runs. */
  graphHash: string;
}

const findText = `
SELECT r.method, t.workflow_id AS "workflowId", t.node_name AS "nodeName", r.output, t.spec, v.graph_hash AS "graphHash"
FROM webhook_routes r
JOIN triggers t ON t.id = r.trigger_id
JOIN workflows w ON w.id = t.workflow_id AND w.active
JOIN workflow_versions v ON v.id = w.active_version_id
WHERE (r.pattern = $1 AND NOT r.has_parameters) OR (r.has_parameters AND r.head = $2 AND r.parts = $3)`;

/** The routes of active workflows, as activations have committed them: any process sees each at once. */
export class WebhookRoutes {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The routes, of every method, that a path may mean; those with more fixed parts, from the left, come first. */
  async find(segments: readonly string[]): Promise<WebhookRoute[]> {
    const values = [segments.join('/'), segments[0] ?? '', segments.length];
    const statement = { name: 'find-webhook-routes', text: findText, values };
    const found = await this.#db.query<WebhookRoute & Record<string, unknown>>(statement);
    return found.filter(({ spec }) => isMatch(spec.path, segments)).toSorted((a, b) => compare(rank(a), rank(b)));
  }
}

function isMatch(path: string, segments: readonly string[]): boolean {
  return path.split('/').every((part, i) => part.startsWith(':') || part === segments[i]);
}

function rank({ spec }: WebhookRoute): string {
  return spec.path.replaceAll(/[^/]+/g, (part) => (part.startsWith(':') ? '1' : '0'));
}

interface Route {
  nodeName: string;
  ordinal: number;
  pattern: string;
  method: string;
  output: number;
}

/** A trigger with its place, as `replaceTriggers` has written it. */
export interface PlacedWebhook {
  nodeName: string;
  ordinal: number;
  spec: WebhookTrigger;
}

/**
 * Part of the transaction that replaces the triggers of a workflow, after that: calls of these reach it, and no others. Throws `ConflictError`
 * `WEBHOOK_PATH_TAKEN`, naming the workflow and the node, for a path that another node has already.
 */
export async function replaceRoutes(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  webhooks: readonly PlacedWebhook[],
): Promise<void> {
  await sql`DELETE FROM webhook_routes r USING triggers t WHERE t.id = r.trigger_id AND t.workflow_id = ${workflowId}`.execute(
    tx,
  );
  // In one order for all, so that two activations that meet do not wait for each other.
  const routes = webhooks.flatMap(toRoutes).toSorted((a, b) => compare(a.pattern, b.pattern) || compare(a.method, b.method));
  for (const route of routes) if (!(await insertRoute(tx, workflowId, route))) throw await takenError(tx, route);
}

function toRoutes({ nodeName, ordinal, spec }: PlacedWebhook): Route[] {
  const pattern = spec.path.replaceAll(/(^|\/):[^/]*/g, '$1:');
  return spec.methods.map((method, output) => ({ nodeName, ordinal, pattern, method, output }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

async function insertRoute(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  { nodeName, ordinal, pattern, method, output }: Route,
): Promise<boolean> {
  const parts = pattern.split('/');
  const { numAffectedRows } = await sql`
    INSERT INTO webhook_routes (pattern, method, output, has_parameters, head, parts, trigger_id)
    SELECT ${pattern}, ${method}, ${output}, ${parts.includes(':')}, ${parts[0]}, ${parts.length}, id FROM triggers
    WHERE workflow_id = ${workflowId} AND node_name = ${nodeName} AND ordinal = ${ordinal}
    ON CONFLICT DO NOTHING`.execute(tx);
  return numAffectedRows === 1n;
}

async function takenError(tx: Kysely<Tables>, { nodeName, pattern, method }: Route): Promise<ConflictError> {
  const holder = await tx
    .selectFrom('webhook_routes as r')
    .innerJoin('triggers as t', 't.id', 'r.trigger_id')
    .innerJoin('workflows as w', 'w.id', 't.workflow_id')
    .select(['w.id', 'w.name', 't.node_name'])
    .where('r.pattern', '=', pattern)
    .where('r.method', '=', method)
    .executeTakeFirst();
  const where = holder ? `node "${holder.node_name}" of workflow ${holder.id} ("${holder.name}")` : 'another workflow';
  const message = `the webhook ${method} ${pattern} of node "${nodeName}" is taken by ${where}`;
  return new ConflictError(message, 'WEBHOOK_PATH_TAKEN');
}
