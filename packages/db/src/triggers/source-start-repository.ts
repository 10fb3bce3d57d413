import { type AppError, type ExecutionId, type ExecutionStatus, type Item, isAppError, type JsonObject } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { Access } from '../access.ts';
import type { Database } from '../connection/database.ts';
import type { QueueGauge } from '../executions/queue/queue-gauge.ts';
import { startedByKey } from '../executions/start/idempotency-key.ts';
import type { NewExecution } from '../executions/start/insert-executions.ts';
import { startInTransaction } from '../executions/start/start-in-transaction.ts';
import { referenceFiles, type StoredBinary } from '../executions/storage/binary-repository.ts';
import { saveSharedData } from '../executions/workflow-data/static-data-repository.ts';
import { encodeJson } from '../json/codec.ts';
import type { Tables } from '../tables/tables.ts';
import { type LockedSource, lockSource, SourceLeaseLostError, type SourceLeaseRef } from './source-lease.ts';
import { noteSuccess, releaseLeases } from './trigger-source-repository.ts';

/** An event of a poll or a listener. */
export interface SourceStart {
  /** Output items of the trigger's node. */
  items: Item[];
  output: number;
  /** Within 24 hours, events of the node with the same key start one execution. */
  key?: string | undefined;
  /** Files of the items, uploaded under registered ids. */
  files: readonly StoredBinary[];
}

/** Everything that one transaction writes for a lease. */
export interface SourceCommit {
  starts: readonly SourceStart[];
  /** Replaces the cursor. */
  cursor?: JsonObject | undefined;
  /** Replaces the static data shared by all nodes of the workflow. */
  shared?: JsonObject | undefined;
  /**
   * For a poll, which releases its lease with this commit: its next due time, unless its schedule
   * has changed in the meantime; null if never again.
   */
  next?: { tick: number; at: number | null };
}

export interface SourceStartResult {
  id: ExecutionId;
  /** Whether an earlier start with the same key had started this execution. */
  repeated: boolean;
}

const all = new Access('all');

/** Executions started by polls and listeners. */
export class SourceStartRepository {
  readonly #db: Database;
  readonly #queueGauge: QueueGauge;

  /** `queueGauge`: reports projects with a full queue. */
  constructor(db: Database, queueGauge: QueueGauge) {
    this.#db = db;
    this.#queueGauge = queueGauge;
  }

  /**
   * All or nothing: executions of the active version, in order; the cursor; and the next due time
   * of a poll. Resolves after the commit; each start resolves to its execution, or to the reason
   * why its key may start nothing. Throws `TRIGGER_CLOSED` if the lease is no longer valid, and
   * `QUEUE_FULL`.
   */
  async commit(
    lease: SourceLeaseRef & { nodeName: string; ordinal: number },
    work: SourceCommit,
  ): Promise<(SourceStartResult | AppError)[]> {
    const queueGauge = work.starts.length > 0 ? this.#queueGauge : undefined;
    return startInTransaction(this.#db.kysely, queueGauge, async (tx, insert) => {
      const locked = await lockSource(tx, lease);
      if (!locked) throw new SourceLeaseLostError();
      const earlier = await startedEarlier(tx, lease, work.starts);
      const fresh = work.starts.filter(
        ({ key }, i) => isFirst(work.starts, key, i) && !(key !== undefined && earlier.has(key)),
      );
      const ids = (await insert(fresh.map((start) => executionOf(lease, locked, start)))).map(assertInserted);
      const files = fresh.flatMap((start, i) => start.files.map((file) => ({ ...file, executionId: ids[i] as ExecutionId })));
      await referenceFiles(tx, files);
      await bindKeys(tx, lease, fresh, ids);
      await moveOn(tx, lease, work, ids.at(-1));
      return work.starts.map((start) => outcomeOf(start, { fresh, ids, earlier }));
    });
  }

  /** Statuses of the executions that exist. */
  async statuses(ids: readonly ExecutionId[]): Promise<Map<ExecutionId, ExecutionStatus>> {
    const rows = await this.#db.query<{ id: ExecutionId; status: ExecutionStatus }>({
      name: 'statuses-of-executions',
      text: 'SELECT id, status FROM executions WHERE id = ANY ($1::bigint[])',
      values: [ids],
    });
    return new Map(rows.map(({ id, status }) => [id, status]));
  }
}

function assertInserted(id: ExecutionId | AppError): ExecutionId {
  if (id instanceof Error) throw id;
  return id;
}

function executionOf(
  { workflowId, nodeName }: SourceLeaseRef & { nodeName: string },
  { graphHash }: LockedSource,
  { items, output }: SourceStart,
): NewExecution {
  const input = { trigger: { node: nodeName, output, items } };
  return { workflowId, access: all, graphHash, mode: 'trigger', userId: null, input };
}

/** Only the first of several starts with the same key counts. */
function isFirst(starts: readonly SourceStart[], key: string | undefined, index: number): boolean {
  return key === undefined || starts.findIndex((other) => other.key === key) === index;
}

/**
 * Key → the execution that it started within 24 hours. No other transaction writes keys of the node
 * meanwhile: the lease is locked.
 */
async function startedEarlier(
  tx: Kysely<Tables>,
  { workflowId, nodeName }: SourceLeaseRef & { nodeName: string },
  starts: readonly SourceStart[],
): Promise<Map<string, ExecutionId | AppError>> {
  const keys = starts.flatMap(({ key }) => (key === undefined ? [] : [key]));
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{ key: string; execution_id: ExecutionId; existing: string | null }>`
    SELECT k.key, k.execution_id, e.id AS existing FROM webhook_keys k LEFT JOIN executions e ON e.id = k.execution_id
    WHERE k.workflow_id = ${workflowId} AND k.node_name = ${nodeName} AND k.key = ANY (${keys}::text[])
      AND k.created_at >= now() - interval '24 hours'`.execute(tx);
  return new Map(rows.map((row) => [row.key, existingOf(row)]));
}

function existingOf(row: { execution_id: ExecutionId; existing: string | null }): ExecutionId | AppError {
  try {
    return startedByKey(row);
  } catch (error) {
    if (isAppError(error) && error.code === 'IDEMPOTENCY_KEY_EXECUTION_DELETED') return error;
    throw error;
  }
}

async function bindKeys(
  tx: Kysely<Tables>,
  { workflowId, nodeName }: SourceLeaseRef & { nodeName: string },
  starts: readonly SourceStart[],
  ids: readonly ExecutionId[],
): Promise<void> {
  const bound = starts.flatMap(({ key }, i) => (key === undefined ? [] : [{ key, id: ids[i] }]));
  if (bound.length === 0) return;
  await sql`INSERT INTO webhook_keys (workflow_id, node_name, key, execution_id)
    SELECT ${workflowId}, ${nodeName}, b.key, b.id
    FROM unnest(${bound.map(({ key }) => key)}::text[], ${bound.map(({ id }) => id)}::bigint[]) AS b (key, id)
    ON CONFLICT (workflow_id, node_name, key) DO UPDATE SET execution_id = excluded.execution_id, created_at = now()`.execute(
    tx,
  );
}

async function moveOn(
  tx: Kysely<Tables>,
  lease: SourceLeaseRef & { nodeName: string; ordinal: number },
  { cursor, shared, next }: SourceCommit,
  lastId: ExecutionId | undefined,
): Promise<void> {
  const { leaseId, workflowId, nodeName, ordinal } = lease;
  await noteSuccess(tx, lease);
  const trigger = sql`workflow_id = ${workflowId} AND node_name = ${nodeName} AND ordinal = ${ordinal}`;
  if (lastId !== undefined) await sql`UPDATE triggers SET last_execution_id = ${lastId} WHERE ${trigger}`.execute(tx);
  if (cursor) await sql`UPDATE trigger_sources SET cursor = ${encodeJson(cursor)} WHERE hold_id = ${leaseId}`.execute(tx);
  if (shared) await saveSharedData(tx, workflowId, shared);
  if (!next) return;
  const [tick, at] = [new Date(next.tick).toISOString(), next.at === null ? null : new Date(next.at).toISOString()];
  await sql`UPDATE triggers SET next_at = ${at}::timestamptz WHERE ${trigger} AND next_at = ${tick}::timestamptz`.execute(tx);
  await releaseLeases(tx, [leaseId]);
}

interface Written {
  fresh: readonly SourceStart[];
  ids: readonly ExecutionId[];
  earlier: ReadonlyMap<string, ExecutionId | AppError>;
}

function outcomeOf(start: SourceStart, { fresh, ids, earlier }: Written): SourceStartResult | AppError {
  const id = ids[fresh.indexOf(start)];
  if (id !== undefined) return { id, repeated: false };
  const before = earlier.get(start.key ?? '') ?? ids[fresh.findIndex(({ key }) => key === start.key)];
  if (before === undefined) throw new TypeError('an event without a key has no execution');
  return isAppError(before) ? before : { id: before, repeated: true };
}
