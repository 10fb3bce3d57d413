import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** Identity of a route: method and path. */
export interface RouteKey {
  /** The path, with `:` for each parameter. */
  pattern: string;
  method: string;
  output: number;
}

/** A route to insert. */
export interface NewRoute extends RouteKey {
  kind: string;
  nodeName: string;
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

export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/**
 * Until the transaction ends, no other transaction can write routes that match the same requests,
 * which no table constraint could detect. All locks are taken in a fixed order, before the first
 * route is inserted or deleted, and also for routes to be deleted. So transactions cannot deadlock.
 * First segments share 256 locks: Postgres holds a few thousand locks, and a workflow may
 * have thousands of paths.
 */
export async function lockPatterns(tx: Kysely<Tables>, routes: readonly Pick<RouteKey, 'pattern'>[]): Promise<void> {
  const heads = [...new Set(routes.map(({ pattern }) => headOf(pattern)))];
  await sql`SELECT pg_advisory_xact_lock(29, slot)
    FROM (SELECT DISTINCT hashtext(head) & 255 AS slot FROM unnest(${heads}::text[]) AS head ORDER BY slot) AS slots`.execute(
    tx,
  );
}

/** Always fixed: no path begins with a parameter. */
function headOf(pattern: string): string {
  return pattern.split('/', 1)[0] ?? '';
}

/** Columns in which routes that match the same requests are equal. */
const bucket = sql.raw<unknown>('kind, method, head, parts');

/** Two rows `w` and `r` with the same `bucket`. */
const sameBucket = sql.raw<boolean>('(r.kind = w.kind AND r.method = w.method AND r.head = w.head AND r.parts = w.parts)');

/** Two rows `w` and `r` that differ in no segment that is fixed in both. */
const sameRequests = sql<boolean>`(${sameBucket} AND ${sql.raw(`NOT EXISTS (SELECT FROM unnest(string_to_array(r.pattern, '/'), string_to_array(w.pattern, '/')) AS p (a, b)
    WHERE p.a <> p.b AND p.a <> ':' AND p.b <> ':')`)})`;

/**
 * The pattern with the same string for all fixed segments, so that only the positions of parameters
 * differ.
 */
const shape = sql.raw<string>(`(SELECT string_agg(CASE p WHEN ':' THEN ':' ELSE '' END, '/' ORDER BY n)
  FROM unnest(string_to_array(pattern, '/')) WITH ORDINALITY AS s (p, n))`);

/** The pattern of `a` with `:` also where a shape `b` has parameters. */
const commonPart = sql.raw<string>(`(SELECT string_agg(CASE s WHEN ':' THEN ':' ELSE p END, '/' ORDER BY n)
  FROM unnest(string_to_array(a.pattern, '/'), string_to_array(b.shape, '/')) WITH ORDINALITY AS s (p, s, n))`);

interface RouteTables {
  /** The `FROM` clause for the relevant routes `r` of other workflows. */
  others: RawBuilder<unknown>;
  /** `INSERT … SELECT … FROM free w`: `free` has the columns of `rowsOf`. */
  insert: RawBuilder<unknown>;
}

/**
 * Part of a transaction that replaces routes, after `lockPatterns`: inserts all of them with one
 * statement. Returns the first that cannot be inserted, because another node has it, or because it
 * matches requests of another workflow's route; then the transaction has to be rolled back.
 */
export async function insertRoutes<Route extends NewRoute>(
  tx: Kysely<Tables>,
  routes: readonly Route[],
  { others, insert }: RouteTables,
): Promise<Route | undefined> {
  if (routes.length === 0) return undefined;
  // Routes match the same requests if they are equal once each has a parameter where the other has
  // one. So each is compared as text, once for each shape of the other routes. `present` has two
  // joins, because the first uses an index; the second reads nothing for paths without parameters.
  const { rows } = await sql<{ place: number | null }>`WITH wanted AS MATERIALIZED (
      SELECT w.*, row_number() OVER (PARTITION BY w.kind, w.pattern, w.method ORDER BY w.place) > 1 AS repeats
      FROM ${rowsOf(routes)}),
    ours AS MATERIALIZED (SELECT ${bucket}, pattern, place, ${shape} AS shape FROM wanted),
    present AS MATERIALIZED (SELECT *, ${shape} AS shape FROM (
      SELECT r.kind, r.method, r.head, r.parts, r.pattern FROM (SELECT DISTINCT ${bucket} FROM wanted) w
        JOIN ${others} ON r.has_parameters AND ${sameBucket}
      UNION ALL SELECT r.kind, r.method, r.head, r.parts, r.pattern FROM (SELECT DISTINCT ${bucket} FROM wanted WHERE has_parameters) w
        JOIN ${others} ON NOT r.has_parameters AND ${sameBucket}) AS found),
    compared AS (
      SELECT ${bucket}, a.shape AS ours, b.shape AS theirs, ${commonPart} AS common, a.place
        FROM ours a JOIN (SELECT DISTINCT ${bucket}, shape FROM present) b USING (${bucket})
      UNION ALL SELECT ${bucket}, b.shape, a.shape, ${commonPart}, NULL
        FROM present a JOIN (SELECT DISTINCT ${bucket}, shape FROM ours) b USING (${bucket})),
    shared AS (SELECT unnest(array_agg(place) FILTER (WHERE place IS NOT NULL)) AS place FROM compared
      GROUP BY ${bucket}, ours, theirs, common HAVING count(*) > count(place)),
    free AS (SELECT * FROM wanted WHERE NOT repeats AND place NOT IN (SELECT place FROM shared) ORDER BY place),
    inserted AS (${insert} ON CONFLICT DO NOTHING RETURNING kind, pattern, method)
    SELECT min(w.place) AS place FROM wanted w LEFT JOIN inserted n ON n.kind = w.kind AND n.pattern = w.pattern AND n.method = w.method
    WHERE w.repeats OR n.pattern IS NULL`.execute(tx);
  const place = rows[0]?.place ?? undefined;
  return place === undefined ? undefined : routes[place];
}

/** Rows `w` of a query, with all members of the routes; `place` is their index. */
export function rowsOf(routes: readonly NewRoute[]): RawBuilder<unknown> {
  const rows = routes.map(({ pattern, nodeName, ...route }, place) => {
    const parts = pattern.split('/');
    const shape = { head: headOf(pattern), parts: parts.length, has_parameters: parts.includes(':') };
    return { ...route, pattern, node_name: nodeName, place, ...shape };
  });
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) AS w (place int, kind text, pattern text, method text, output smallint,
    head text, parts smallint, has_parameters boolean, node_name text, ordinal smallint, spec json)`;
}

/** A workflow that has a route which another workflow requests. */
interface RouteHolder {
  id: string;
  name: string;
  node_name: string;
  /** Whether both workflows are in the same project. */
  isVisible: unknown;
}

/** The holder's description for an error, which reveals nothing about other projects. */
export function holderText(holder: RouteHolder | undefined): string {
  return holder?.isVisible ? `node "${holder.node_name}" of workflow ${holder.id} ("${holder.name}")` : 'another workflow';
}

/** The first of the routes that matches requests of an active workflow of another project. */
export async function findForeignRoute<Route extends NewRoute>(
  tx: Kysely<Tables>,
  workflowId: string,
  routes: readonly Route[],
): Promise<Route | undefined> {
  if (routes.length === 0) return undefined;
  // Uses one join for each index.
  const { rows } = await sql<{ place: number }>`WITH wanted AS MATERIALIZED (SELECT w.* FROM ${rowsOf(routes)}),
    met AS (
      SELECT w.place, r.trigger_id FROM wanted w
        JOIN webhook_routes r ON r.kind = w.kind AND r.pattern = w.pattern AND r.method = w.method
      UNION ALL SELECT w.place, r.trigger_id FROM wanted w JOIN webhook_routes r ON r.has_parameters AND ${sameRequests}
      UNION ALL SELECT w.place, r.trigger_id FROM wanted w
        JOIN webhook_routes r ON w.has_parameters AND NOT r.has_parameters AND ${sameRequests})
    SELECT met.place FROM met JOIN triggers t ON t.id = met.trigger_id JOIN workflows holder ON holder.id = t.workflow_id
      JOIN workflows activated ON activated.id = ${workflowId}
    WHERE holder.project_id <> activated.project_id ORDER BY met.place LIMIT 1`.execute(tx);
  const [first] = rows;
  return first && routes[first.place];
}

/**
 * Whether a route `r` has a path, or one of another workflow (`isOther`) matches the same requests.
 */
export function hasSameRequests(route: NewRoute, isOther: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (SELECT FROM ${rowsOf([route])} WHERE r.kind = w.kind AND r.method = w.method
    AND (r.pattern = w.pattern OR (${isOther} AND (r.has_parameters OR w.has_parameters) AND ${sameRequests})))`;
}
