import { isDeepStrictEqual } from 'node:util';
import { ConflictError, type ExecutionId, NotFoundError, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { Access } from '../access.ts';
import type { Database } from '../connection/database.ts';
import type { QueueGauge } from '../executions/queue/queue-gauge.ts';
import type { ExecutionInput } from '../executions/row/execution.ts';
import { ExecutionStarter } from '../executions/start/execution-starter.ts';
import type { StartedOnce } from '../executions/start/idempotency-key.ts';
import { startedByKey } from '../executions/start/idempotency-key.ts';
import { type NewExecution, NotActiveError } from '../executions/start/insert-executions.ts';
import { startInTransaction } from '../executions/start/start-in-transaction.ts';
import { referenceFiles, type StoredBinary } from '../executions/storage/binary-repository.ts';
import type { Tables } from '../tables/tables.ts';
import { takeTestUrls } from './test-url-repository.ts';
import type { FormRoute, WebhookRoute } from './webhook-route-repository.ts';

/** A request that starts a workflow. */
export interface WebhookStart {
  workflowId: WorkflowId;
  /** The graph to run, unless another version has become active in the meantime. */
  graphHash: string;
  nodeName: string;
  /** The trigger that the request matched. */
  spec: WebhookRoute['spec'] | FormRoute['spec'];
  input: ExecutionInput;
  /** Files of the request, uploaded under registered ids. */
  files: readonly StoredBinary[];
  /**
   * Idempotency key: within 24 hours, requests to the node with the same key start one execution.
   */
  key: string | undefined;
  /**
   * A second such key, from the signature of a signed request: it prevents replay by an
   * eavesdropper.
   */
  signature?: string;
  /** The request came to a test URL. Its key is ignored, because no second request is accepted. */
  test?: WebhookRoute['test'];
  /**
   * For a form: identifies the submitter afterwards, at a test URL too. A repeated submission
   * starts nothing.
   */
  session?: string;
}

/** Maximum duration of an upload, during which no execution references its bytes. */
const uploadTime = '2 hours';
const all = new Access('all');

/** Executions started by webhook requests. */
export class WebhookStartRepository {
  readonly #db: Database;
  readonly #queueGauge: QueueGauge | undefined;
  readonly #starter: ExecutionStarter;

  /** `queueGauge`: reports projects with a full queue; absent: no limit. */
  constructor(db: Database, { queueGauge }: { queueGauge?: QueueGauge | undefined } = {}) {
    this.#db = db;
    this.#queueGauge = queueGauge;
    this.#starter = new ExecutionStarter(db, { queueGauge });
  }

  /**
   * Call this before storing the bytes of files: if no execution references them after two hours,
   * they are deleted. So no file of a refused request or a crashed process remains.
   */
  async announce(...binaryIds: string[]): Promise<void> {
    await sql`INSERT INTO binary_leftovers (binary_id, interrupted, due_at)
      SELECT id, true, now() + ${uploadTime}::interval FROM unnest(${binaryIds}::text[]) AS id`.execute(this.#db.kysely);
  }

  /**
   * Resolves after the commit; the version that is active then runs. Throws `QUEUE_FULL`,
   * `NotFoundError` if the workflow is no longer active or its test URL no longer open, and
   * `ConflictError` if the node's trigger has changed, or the execution that the key started was
   * deleted.
   */
  async start(start: WebhookStart): Promise<StartedOnce> {
    if (start.test) return this.#startTest(start, start.test);
    try {
      return await this.#startActive(start);
    } catch (error) {
      if (!(error instanceof NotActiveError)) throw withoutWorkflowId(error);
      return this.#startActive({ ...start, graphHash: await this.#activeGraph(start, error) });
    }
  }

  /**
   * Like `start`, for a request without files and key, without another lookup of its route:
   * `undefined` if the route no longer exists; then nothing was started.
   */
  async startAt(
    routeId: string,
    start: Pick<WebhookStart, 'workflowId' | 'graphHash' | 'input'>,
  ): Promise<StartedOnce | undefined> {
    try {
      return { id: await this.#starter.start({ ...webhookExecution(start), routeId }), repeated: false };
    } catch (error) {
      if (error instanceof NotFoundError) return undefined; // deleted, or a `NotActiveError`
      throw error;
    }
  }

  /** The graph that now serves the same request, after an activation. */
  async #activeGraph({ workflowId, nodeName, spec }: WebhookStart, notActive: NotActiveError): Promise<string> {
    const rows = await this.#db.kysely
      .selectFrom('workflows as w')
      .innerJoin('workflow_versions as v', 'v.id', 'w.active_version_id')
      .leftJoin('triggers as t', (join) => join.onRef('t.workflow_id', '=', 'w.id').on('t.node_name', '=', nodeName))
      .select(['v.graph_hash', 't.spec'])
      .where('w.id', '=', workflowId)
      .where('w.active', '=', true)
      .execute();
    if (rows.length === 0) throw notActive;
    const same = rows.find((row) => isDeepStrictEqual(row.spec, spec));
    if (!same) throw new ConflictError('the trigger of the workflow has changed since this request started: send it again');
    return same.graph_hash;
  }

  async #startActive(start: WebhookStart): Promise<StartedOnce> {
    const keys = [start.key, start.signature].filter((one) => one !== undefined);
    const execution = webhookExecution(start);
    if (start.files.length > 0 || keys.length > 0) return this.#startOnce(start, execution, keys);
    return { id: await this.#starter.start(execution), repeated: false };
  }

  /** A run in the name of the user who tests the workflow. */
  async #startTest(start: WebhookStart, { userId }: NonNullable<WebhookRoute['test']>): Promise<StartedOnce> {
    const { workflowId, graphHash, input, session } = start;
    const execution: NewExecution = { workflowId, access: all, graphHash, mode: 'manual', userId, input };
    return this.#startOnce(start, execution, session === undefined ? [] : [session]);
  }

  #startOnce(start: WebhookStart, execution: NewExecution, keys: readonly string[]): Promise<StartedOnce> {
    const { workflowId, files, test } = start;
    return startInTransaction(this.#db.kysely, this.#queueGauge, async (tx, insert) => {
      const repeated = await lockKeys(tx, start, keys);
      if (repeated !== undefined) return { id: repeated, repeated: true };
      const [id] = await insert([execution]);
      if (id instanceof Error) throw id instanceof NotActiveError ? id : withoutWorkflowId(id);
      if (test) await takeTestUrls(tx, { workflowId, testId: test.id, executionId: id });
      await referenceFiles(
        tx,
        files.map((file) => ({ ...file, executionId: id })),
      );
      for (const key of keys) await bindKey(tx, start, key, id);
      return { id, repeated: false };
    });
  }
}

/** The client does not know the id of the deleted workflow, so the error omits it. */
function withoutWorkflowId(error: unknown): unknown {
  return error instanceof NotFoundError ? new NotFoundError('the workflow no longer exists') : error;
}

function webhookExecution({
  workflowId,
  graphHash,
  input,
}: Pick<WebhookStart, 'workflowId' | 'graphHash' | 'input'>): NewExecution {
  return { workflowId, access: all, graphHash, ifActive: true, mode: 'webhook', userId: null, input };
}

/**
 * Inserts the keys, which serializes requests with the same ones; or finds the execution that one
 * of them started. From then on, another signature of the same request identifies it, too. Another
 * key does not, because an eavesdropper who replays a request can choose it.
 */
async function lockKeys(tx: Kysely<Tables>, start: WebhookStart, keys: readonly string[]): Promise<ExecutionId | undefined> {
  const idsByKey = new Map<string, ExecutionId | undefined>();
  for (const key of keys.toSorted()) idsByKey.set(key, await lockKey(tx, start, key));
  const executionId = keys.map((key) => idsByKey.get(key)).find((id) => id !== undefined);
  const { signature } = start;
  if (executionId !== undefined && signature !== undefined && idsByKey.get(signature) === undefined)
    await bindKey(tx, start, signature, executionId);
  return executionId;
}

async function lockKey(
  tx: Kysely<Tables>,
  { workflowId, nodeName }: WebhookStart,
  key: string,
): Promise<ExecutionId | undefined> {
  const lock = JSON.stringify([workflowId, nodeName, key]);
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 24))`.execute(tx);
  const row = await tx
    .selectFrom('webhook_keys as k')
    .leftJoin('executions as e', 'e.id', 'k.execution_id')
    .select(['k.execution_id', 'e.id as existing'])
    .where('k.workflow_id', '=', workflowId)
    .where('k.node_name', '=', nodeName)
    .where('k.key', '=', key)
    .where('k.created_at', '>=', sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirst();
  return row && startedByKey(row);
}

async function bindKey(
  tx: Kysely<Tables>,
  { workflowId, nodeName }: WebhookStart,
  key: string,
  id: ExecutionId,
): Promise<void> {
  await sql`INSERT INTO webhook_keys (workflow_id, node_name, key, execution_id) VALUES (${workflowId}, ${nodeName}, ${key}, ${id})
    ON CONFLICT (workflow_id, node_name, key) DO UPDATE SET execution_id = excluded.execution_id, created_at = now()`.execute(
    tx,
  );
}
