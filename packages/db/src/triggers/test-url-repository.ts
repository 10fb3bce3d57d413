import { ConflictError, type ExecutionId, NotFoundError, type TriggerSpec, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import { statement } from '../statements/statement.ts';
import type { Tables } from '../tables/tables.ts';
import {
  findForeignRoute,
  hasSameRequests,
  holderText,
  inOneOrder,
  insertRoutes,
  lockPatterns,
  type NewRoute,
  routesOf,
  rowsOf,
} from './new-routes.ts';
import { atPath, closestOf, type FormRoute, pathOf, pathParameters, type WebhookRoute } from './webhook-route-repository.ts';

type CalledTrigger = Extract<TriggerSpec, { methods: readonly string[]; path: string }>;

/** Test URLs to open: the triggers of a graph that have paths. */
interface NewTestUrls {
  workflowId: WorkflowId;
  /** The stored graph that runs. */
  graphHash: string;
  /** The user in whose name it runs. */
  userId: string;
  triggers: readonly { nodeName: string; spec: CalledTrigger }[];
}

/** Current or last test URLs of a workflow. */
export interface OpenTestUrls {
  expiresAt: Date;
  /** Whether they still accept a request. */
  open: boolean;
  /** The execution that a request started. */
  executionId: ExecutionId | null;
  routes: { nodeName: string; kind: CalledTrigger['kind']; methods: readonly string[]; path: string }[];
}

type FoundRoute<Kind> = Kind extends 'form' ? FormRoute : WebhookRoute;

/** How long test URLs wait for a request. */
const openTime = '2 minutes';
const isOpen = sql<boolean>`u.execution_id IS NULL AND u.expires_at > now()`;

const findStatement = (name: string, condition: string) =>
  statement({
    name,
    parameters: pathParameters,
    text: (path) => `
SELECT r.method, r.workflow_id AS "workflowId", w.project_id AS "projectId", r.node_name AS "nodeName", r.output, r.spec, u.graph_hash AS "graphHash",
  json_build_object('id', u.id, 'userId', u.user_id, 'active', w.active) AS test
FROM test_routes r JOIN test_urls u ON u.workflow_id = r.workflow_id JOIN workflows w ON w.id = r.workflow_id
WHERE ${atPath(path)} AND ${condition}`,
  });

const findOpen = findStatement('find-test-routes', 'u.execution_id IS NULL AND u.expires_at > now()');
const findUsed = findStatement('find-used-test-routes', 'u.execution_id IS NOT NULL');

/**
 * URLs for testing a workflow, active or not. They are valid in every process, for two minutes by
 * the database's clock, and for one request that starts an execution.
 */
export class TestUrlRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Replaces the workflow's open test URLs. Throws `ConflictError` `WEBHOOK_PATH_TAKEN` if another
   * workflow has an open test URL at one of the paths, or if an active workflow of another project
   * has one of the paths: test requests for that workflow would arrive here.
   */
  async open({ workflowId, graphHash, userId, triggers }: NewTestUrls): Promise<{ id: WorkflowId }> {
    return inTransaction(this.#db.kysely, async (tx) => {
      await sql`INSERT INTO test_urls (workflow_id, graph_hash, user_id, expires_at)
        VALUES (${workflowId}, ${graphHash}, ${userId}, now() + ${openTime}::interval)
        ON CONFLICT (workflow_id) DO UPDATE SET id = excluded.id, graph_hash = excluded.graph_hash, user_id = excluded.user_id,
          expires_at = excluded.expires_at, execution_id = NULL`.execute(tx);
      const routes = inOneOrder(
        triggers.flatMap((trigger) => routesOf(trigger.spec).map((key) => ({ ...trigger, ...key, kind: trigger.spec.kind }))),
      );
      const present = await tx.selectFrom('test_routes').select('pattern').where('workflow_id', '=', workflowId).execute();
      await lockPatterns(tx, [...present, ...routes]);
      await tx.deleteFrom('test_routes').where('workflow_id', '=', workflowId).execute();
      await write(tx, workflowId, routes);
      return { id: workflowId };
    });
  }

  /**
   * Like `WebhookRouteRepository.find`, for open test URLs. `isUsed`: for test URLs that a request
   * has already used.
   */
  async find<Kind extends CalledTrigger['kind']>(
    kind: Kind,
    segments: readonly string[],
    { isUsed = false } = {},
  ): Promise<FoundRoute<Kind>[]> {
    const find = isUsed ? findUsed : findOpen;
    const routes = await this.#db.query<FoundRoute<Kind>>(find(pathOf(kind, segments)));
    return closestOf(routes, segments);
  }

  /**
   * The caller checks access to the workflow first. Throws `NotFoundError` if they were never
   * opened, or were opened too long ago.
   */
  async get(workflowId: WorkflowId): Promise<OpenTestUrls> {
    const { kysely } = this.#db;
    const row = await kysely
      .selectFrom('test_urls as u')
      .select(['u.expires_at', 'u.execution_id', isOpen.as('open')])
      .where('workflow_id', '=', workflowId)
      .executeTakeFirst();
    if (!row) throw neverOpened(workflowId);
    const routes = await kysely
      .selectFrom('test_routes')
      .select(['node_name', 'kind', 'spec'])
      .where('workflow_id', '=', workflowId)
      .where('output', '=', 0)
      .orderBy('node_name')
      .orderBy('pattern')
      .execute();
    return {
      expiresAt: row.expires_at,
      open: row.open,
      executionId: row.execution_id,
      routes: routes.map(({ node_name: nodeName, spec }) => {
        const { kind, methods, path } = spec as CalledTrigger;
        return { nodeName, kind, methods, path };
      }),
    };
  }

  /** The caller checks access to the workflow first. Throws `NotFoundError`. */
  async close(workflowId: WorkflowId): Promise<{ id: WorkflowId }> {
    return inTransaction(this.#db.kysely, async (tx) => {
      const { numDeletedRows } = await tx.deleteFrom('test_urls').where('workflow_id', '=', workflowId).executeTakeFirst();
      if (numDeletedRows === 0n) throw neverOpened(workflowId);
      return { id: workflowId };
    });
  }
}

/**
 * Part of the transaction that starts an execution for a request at a test URL: no other request is
 * accepted afterwards. Throws `NotFoundError` if another request was first, or the time is over.
 */
export async function takeTestUrls(
  tx: Kysely<Tables>,
  { workflowId, testId, executionId }: { workflowId: WorkflowId; testId: string; executionId: ExecutionId },
): Promise<void> {
  const { numAffectedRows } = await sql`UPDATE test_urls u SET execution_id = ${executionId}
    WHERE workflow_id = ${workflowId} AND id = ${testId}::uuid AND ${isOpen}`.execute(tx);
  if (numAffectedRows !== 1n)
    throw new NotFoundError('this test URL has already been used or is no longer open: open it again to send another request');
}

/**
 * Part of the transaction that moves the workflow to another project. A test URL runs the graph of
 * a user who may have no rights there.
 */
export async function endTestUrls(tx: Kysely<Tables>, workflowId: WorkflowId): Promise<void> {
  await tx.deleteFrom('test_urls').where('workflow_id', '=', workflowId).execute();
}

type TestRoute = NewRoute & NewTestUrls['triggers'][number];

/** Throws `ConflictError` if another workflow has an open test URL at one of the paths. */
async function write(tx: Kysely<Tables>, workflowId: WorkflowId, routes: readonly TestRoute[]): Promise<void> {
  if (routes.length === 0) return;
  await sql`DELETE FROM test_routes r USING test_urls u, ${rowsOf(routes)}
    WHERE r.kind = w.kind AND r.pattern = w.pattern AND r.method = w.method AND u.workflow_id = r.workflow_id
      AND u.workflow_id <> ${workflowId} AND NOT (${isOpen})`.execute(tx);
  const occupied = await insertRoutes(tx, routes, {
    others: sql`(test_routes r JOIN test_urls u ON u.workflow_id = r.workflow_id AND u.workflow_id <> ${workflowId} AND ${isOpen})`,
    insert: sql`INSERT INTO test_routes (kind, pattern, method, output, has_parameters, head, parts, node_name, spec, workflow_id)
      SELECT w.kind, w.pattern, w.method, w.output, w.has_parameters, w.head, w.parts, w.node_name, w.spec, ${workflowId} FROM free w`,
  });
  if (occupied) throw await takenError(tx, workflowId, occupied);
  const foreign = await findForeignRoute(tx, workflowId, routes);
  if (foreign) throw conflict(foreign, `belongs to ${holderText(undefined)}`);
}

async function takenError(tx: Kysely<Tables>, workflowId: WorkflowId, route: TestRoute): Promise<ConflictError> {
  const holder = await tx
    .selectFrom('test_routes as r')
    .innerJoin('workflows as w', 'w.id', 'r.workflow_id')
    .innerJoin('workflows as opened', (join) => join.on('opened.id', '=', workflowId))
    .select(['w.id', 'w.name', 'r.node_name'])
    .select((eb) => eb('w.project_id', '=', eb.ref('opened.project_id')).as('isVisible'))
    .innerJoin('test_urls as u', 'u.workflow_id', 'r.workflow_id')
    .where(hasSameRequests(route, sql`r.workflow_id <> ${workflowId} AND ${isOpen}`))
    .executeTakeFirst();
  return conflict(route, `is open for ${holderText(holder)}`);
}

function conflict({ nodeName, pattern, method }: TestRoute, reason: string): ConflictError {
  return new ConflictError(`the test URL ${method} ${pattern} of node "${nodeName}" ${reason}`, 'WEBHOOK_PATH_TAKEN');
}

function neverOpened(workflowId: WorkflowId): NotFoundError {
  return new NotFoundError(`no test URLs of workflow ${workflowId} have been opened`);
}
