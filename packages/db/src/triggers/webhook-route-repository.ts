import type { FormTrigger, WebhookTrigger, WorkflowId } from '@sluice/domain';
import type { Database } from '../connection/database.ts';
import { keyed, statement, value } from '../statements/statement.ts';
import { compare } from './new-routes.ts';

/** A method and a path of an active workflow's webhook. */
export interface WebhookRoute {
  /** Id of the row written by an activation; never reused. Absent: a test URL. */
  id?: string;
  method: string;
  workflowId: WorkflowId;
  projectId: string;
  nodeName: string;
  output: number;
  spec: WebhookTrigger;
  /** The graph that runs. */
  graphHash: string;
  /**
   * Absent: the workflow is active. Otherwise a test URL, of an active or inactive workflow: one
   * request is accepted, and starts a run for this user.
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

/** Parameters for finding the routes `r` of a kind that may match a path. */
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
SELECT r.id, r.method, t.workflow_id AS "workflowId", w.project_id AS "projectId", t.node_name AS "nodeName", r.output, t.spec, v.graph_hash AS "graphHash"
FROM webhook_routes r
JOIN ${keyed('triggers', 'id = r.trigger_id')} t ON true
JOIN ${keyed('workflows', 'id = t.workflow_id AND active')} w ON true
JOIN ${keyed('workflow_versions', 'id = w.active_version_id')} v ON true
WHERE ${atPath(path)}`,
});

/**
 * The routes of active workflows. They are visible to every process as soon as an activation has
 * committed.
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

  async #find<Found extends object>(kind: CalledTrigger['kind'], segments: readonly string[]): Promise<Found[]> {
    return this.#db.query<Found>(findStatement(pathOf(kind, segments)));
  }
}

/** Routes whose path matches the segments; those with more fixed segments, from the left, first. */
export function closestOf<Route extends { spec: { path: string } }>(
  routes: readonly Route[],
  segments: readonly string[],
): Route[] {
  return routes.filter(({ spec }) => isMatch(spec.path, segments)).toSorted((a, b) => compare(rank(a), rank(b)));
}

function isMatch(path: string, segments: readonly string[]): boolean {
  return path.split('/').every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]));
}

function rank({ spec }: { spec: { path: string } }): string {
  return spec.path.replaceAll(/[^/]+/g, (part) => (part.startsWith(':') ? '1' : '0'));
}
