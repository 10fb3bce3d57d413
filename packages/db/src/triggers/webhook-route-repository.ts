import { ConflictError, type FormTrigger, type WebhookTrigger, type WorkflowId } from '@sluice/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.ts';
import { statement, value } from '../statement.ts';
import type { Tables } from '../tables/tables.ts';

/** A method and a path of an active workflow's webhook. */
export interface WebhookRoute {
  /** Id of the row written by an activation; never reused. Absent: a test URL. */
  id?: string;
  method: string;
  workflowId: WorkflowId;
  nodeName: string;
  output: number;
  spec: WebhookTrigger;
  /** The graph that runs. */
  graphHash: string;
  /**
   * Absent: the workflow is active. Otherwise a test URL, of an active or inactive workflow: one
   * request counts, and starts a run of this user.
   */
  test?: { id: string; userId: string; active: boolean };
}

/** A path of an active workflow's form. */
export type FormRoute = Omit<WebhookRoute, 'spec'> & { spec: FormTrigger };

/** A trigger with a path. */
type CalledTrigger = WebhookTrigger | FormTrigger;

interface PathLookup {
  kind: CalledTrigger['kind'];
  pattern: string;
  /** The first segment. */
  head: string;
  /** Number of segments. */
  parts: number;
}

/** Parameters of a lookup of the routes `r` of a kind that may match a path. */
export const pathParameters = {
  kind: value<CalledTrigger['kind']>(),
  pattern: value<string>(),
  head: value<string>(),
  parts: value<number>(),
};

/** The condition of such a lookup. */
export function atPath({ kind, pattern, head, parts }: Record<keyof typeof pathParameters, string>): string {
  return `r.kind = ${kind}
  AND ((r.pattern = ${pattern} AND NOT r.has_parameters) OR (r.has_parameters AND r.head = ${head} AND r.parts = ${parts}))`;
}

/** The values of such a lookup. */
export function pathOf(kind: CalledTrigger['kind'], segments: readonly string[]): PathLookup {
  return { kind, pattern: segments.join('/'), head: segments[0] ?? '', parts: segments.length };
}

const findStatement = statement({
  name: 'find-routes',
  byKey: true,
  parameters: pathParameters,
  text: (path) => `
SELECT r.id, r.method, t.workflow_id AS "workflowId", t.node_name AS "nodeName", r.output, t.spec, v.graph_hash AS "graphHash"
FROM webhook_routes r
JOIN triggers t ON t.id = r.trigger_id
JOIN workflows w ON w.id = t.workflow_id AND w.active
JOIN workflow_versions v ON v.id = w.active_version_id
WHERE ${atPath(path)}`,
});

/**
 * The routes of active workflows. Every process sees them as soon as an activation has committed.
 */
export class WebhookRouteRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Routes of all methods that match a path; those with more fixed segments, from the left, come
   * first.
   */
  async find(segments: readonly string[]): Promise<WebhookRoute[]> {
    return closestOf(await this.#find<WebhookRoute>('webhook', segments), segments);
  }

  /** The form at a path. */
  async findForm(segments: readonly string[]): Promise<FormRoute | undefined> {
    return (await this.#find<FormRoute>('form', segments))[0];
  }

  async #find<Found>(kind: CalledTrigger['kind'], segments: readonly string[]): Promise<Found[]> {
    return this.#db.query<Found & Record<string, unknown>>(findStatement(pathOf(kind, segments)));
  }
}

/** Routes whose path matches the segments; those with more fixed segments, from the left, first. */
export function closestOf<Route extends { spec: { path: string } }>(
  found: readonly Route[],
  segments: readonly string[],
): Route[] {
  return found.filter(({ spec }) => isMatch(spec.path, segments)).toSorted((a, b) => compare(rank(a), rank(b)));
}

function isMatch(path: string, segments: readonly string[]): boolean {
  return path.split('/').every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]));
}

function rank({ spec }: { spec: { path: string } }): string {
  return spec.path.replaceAll(/[^/]+/g, (part) => (part.startsWith(':') ? '1' : '0'));
}

/** Identity of a route: method and path. */
export interface RouteKey {
  /** The path, with `:` for each parameter. */
  pattern: string;
  method: string;
  output: number;
}

/** A route of a node. */
interface Route extends RouteKey {
  kind: CalledTrigger['kind'];
  nodeName: string;
  ordinal: number;
}

/** A trigger with its position in `replaceTriggers`. */
export interface PlacedWebhook {
  nodeName: string;
  ordinal: number;
  spec: CalledTrigger;
}

/** The routes of triggers, in the order in which they are inserted. */
export function routesOfAll(webhooks: readonly PlacedWebhook[]): Route[] {
  return inOneOrder(
    webhooks.flatMap(({ nodeName, ordinal, spec }) =>
      routesOf(spec).map((key) => ({ kind: spec.kind, nodeName, ordinal, ...key })),
    ),
  );
}

/**
 * Part of the transaction that replaces the routes of a workflow, under its lock, before any route
 * is inserted or deleted: transactions that want one of the same routes wait for each other here.
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
  for (const route of routes) if (!(await insertRoute(tx, workflowId, route))) throw await takenError(tx, workflowId, route);
}

/**
 * Until the transaction ends, no other transaction can write routes that match the same requests;
 * no table key could detect that. All locks are taken in a fixed order, before the first route is
 * inserted or deleted, and also for routes to be deleted. So transactions cannot deadlock.
 */
export async function lockPatterns(tx: Kysely<Tables>, routes: readonly Pick<RouteKey, 'pattern'>[]): Promise<void> {
  const heads = [...new Set(routes.map(({ pattern }) => headOf(pattern)))].toSorted(compare);
  for (const head of heads) await sql`SELECT pg_advisory_xact_lock(hashtextextended(${head}, 29))`.execute(tx);
}

/**
 * Whether a route `r` of another workflow, of the same kind and method, matches requests that a
 * pattern matches: they differ in no segment that is fixed in both.
 */
export function sharesRequests(pattern: string): RawBuilder<boolean> {
  const parts = pattern.split('/');
  return sql<boolean>`(r.head = ${headOf(pattern)} AND r.parts = ${parts.length} AND (r.has_parameters OR ${parts.includes(':')})
    AND NOT EXISTS (SELECT FROM unnest(string_to_array(r.pattern, '/'), string_to_array(${pattern}, '/')) AS p (a, b)
      WHERE p.a <> p.b AND p.a <> ':' AND p.b <> ':'))`;
}

/** Always fixed: no path begins with a parameter. */
function headOf(pattern: string): string {
  return pattern.split('/', 1)[0] ?? '';
}

/** Identities of a trigger's routes, one for each of its methods. */
export function routesOf({ path, methods }: { path: string; methods: readonly string[] }): RouteKey[] {
  const pattern = path.replaceAll(/(^|\/):[^/]*/g, '$1:');
  return methods.map((method, output) => ({ pattern, method, output }));
}

/** All transactions insert routes in this order. */
export function inOneOrder<Route extends RouteKey>(routes: readonly Route[]): Route[] {
  return routes.toSorted((a, b) => compare(a.pattern, b.pattern) || compare(a.method, b.method));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

async function insertRoute(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  { kind, nodeName, ordinal, pattern, method, output }: Route,
): Promise<boolean> {
  const parts = pattern.split('/');
  const { numAffectedRows } = await sql`
    INSERT INTO webhook_routes (kind, pattern, method, output, has_parameters, head, parts, trigger_id)
    SELECT ${kind}, ${pattern}, ${method}, ${output}, ${parts.includes(':')}, ${headOf(pattern)}, ${parts.length}, id FROM triggers
    WHERE workflow_id = ${workflowId} AND node_name = ${nodeName} AND ordinal = ${ordinal} AND NOT EXISTS (
      SELECT FROM webhook_routes r JOIN triggers t ON t.id = r.trigger_id
      WHERE r.kind = ${kind} AND r.method = ${method} AND t.workflow_id <> ${workflowId} AND ${sharesRequests(pattern)})
    ON CONFLICT DO NOTHING`.execute(tx);
  return numAffectedRows === 1n;
}

async function takenError(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  { kind, nodeName, pattern, method }: Route,
): Promise<ConflictError> {
  const holder = await tx
    .selectFrom('webhook_routes as r')
    .innerJoin('triggers as t', 't.id', 'r.trigger_id')
    .innerJoin('workflows as w', 'w.id', 't.workflow_id')
    .innerJoin('workflows as own', (join) => join.on('own.id', '=', workflowId))
    .select(['w.id', 'w.name', 't.node_name'])
    .select((eb) => eb('w.project_id', '=', eb.ref('own.project_id')).as('isVisible'))
    .where('r.method', '=', method)
    .where('r.kind', '=', kind)
    .where(sql<boolean>`(r.pattern = ${pattern} OR (w.id <> ${workflowId} AND ${sharesRequests(pattern)}))`)
    .executeTakeFirst();
  // The error reveals nothing about other projects.
  const where = holder?.isVisible
    ? `node "${holder.node_name}" of workflow ${holder.id} ("${holder.name}")`
    : 'another workflow';
  const what = kind === 'form' ? `the form ${pattern}` : `the webhook ${method} ${pattern}`;
  const message = `${what} of node "${nodeName}" is taken by ${where}`;
  return new ConflictError(message, 'WEBHOOK_PATH_TAKEN');
}
