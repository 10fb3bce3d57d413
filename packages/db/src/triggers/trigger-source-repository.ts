import type { JsonObject, ListenTrigger, PollTrigger, WorkerId, WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../connection/database.ts';
import { unpackJson } from '../json/codec.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import type { Tables } from '../tables/tables.ts';
import { isForWorker } from './is-for-worker.ts';
import { lockSource, type SourceLeaseRef } from './source-lease.ts';

/** Kinds of triggers that one worker runs at a time. */
export type SourceKind = 'poll' | 'listen';

/**
 * A trigger that a worker has claimed: no other worker has it until this one releases it, loses it,
 * or dies.
 */
export interface SourceLease extends SourceLeaseRef {
  nodeName: string;
  ordinal: number;
  spec: PollTrigger | ListenTrigger;
  cursor: JsonObject | undefined;
  /** Graph of the active version. */
  graphHash: string;
  workflowName: string;
  projectId: string;
  /** Number of consecutive failures. */
  failures: number;
  /**
   * For a poll: when it was due; `since`: when its schedule started. Milliseconds of the database's
   * clock.
   */
  tick: number | undefined;
  since: number;
  now: number;
}

export interface TakeSources {
  kind: SourceKind;
  limit: number;
  workerId: WorkerId;
  leaseMs: number;
  /** This worker's types of installed packages, as `foreignTypeNames` returns them. */
  nodeTypes: readonly string[];
  /** Triggers that this worker cannot run. */
  except: readonly SourceName[];
  /** Projects whose triggers are left out while other projects have triggers of the kind. */
  full: readonly string[];
}

export interface SourceName {
  workflowId: WorkflowId;
  nodeName: string;
}

/** Numbers of listeners, and of workers that may run them. */
interface ListenerCounts {
  listeners: number;
  workers: number;
}

interface LeaseRow {
  hold_id: string;
  workflow_id: WorkflowId;
  node_name: string;
  ordinal: number;
  spec: PollTrigger | ListenTrigger;
  cursor: Buffer | null;
  graph_hash: string;
  workflow_name: string;
  project_id: string;
  failures: number;
  next_at: Date | null;
  created_at: Date;
  now: Date;
}

/**
 * Polls and listeners of active workflows, and the workers that run them. A worker renews its
 * leases, which expire in database time. A lease is also a fencing token: every write includes it,
 * and fails once another worker has the trigger or the workflow was deactivated.
 */
export class TriggerSourceRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Claims some due triggers that no worker runs, the longest overdue first. */
  async take(options: TakeSources): Promise<SourceLease[]> {
    const rows = await inTransaction(this.#db.kysely, async (tx) => {
      const leaseIds = await takeSome(tx, options);
      // A second statement, with a later snapshot: no activation can change these rows while they
      // are locked.
      return leaseIds.length > 0 ? readLeases(tx, leaseIds) : [];
    });
    return Promise.all(rows.map(toLease));
  }

  /**
   * Extends leases by `leaseMs` from now. Resolves to the ids of the leases that are still valid.
   */
  async renew(leaseIds: readonly string[], leaseMs: number): Promise<Set<string>> {
    const rows = await this.#db.query<{ hold_id: string }>({
      name: 'renew-sources',
      text: `UPDATE trigger_sources SET held_until = now() + $2 * interval '1 millisecond' WHERE hold_id = ANY ($1::text[]) RETURNING hold_id`,
      values: [leaseIds, leaseMs],
    });
    return new Set(rows.map(({ hold_id }) => hold_id));
  }

  /** The ids of the leases that are still valid. */
  async findValid(leaseIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.#db.query<{ hold_id: string }>({
      name: 'check-sources',
      text: `SELECT hold_id FROM trigger_sources WHERE hold_id = ANY ($1::text[])`,
      values: [leaseIds],
    });
    return new Set(rows.map(({ hold_id }) => hold_id));
  }

  /** Releases leases: any worker may claim the triggers at once. */
  async release(leaseIds: readonly string[]): Promise<void> {
    await releaseLeases(this.#db.kysely, leaseIds);
  }

  /** Records a failure and releases the lease; the trigger is not claimed again for `pauseMs`. */
  async fail(lease: SourceLeaseRef, { error, pauseMs }: { error: string; pauseMs: number }): Promise<void> {
    await inTransaction(this.#db.kysely, async (tx) => {
      if (!(await lockSource(tx, lease))) return;
      await sql`UPDATE triggers t SET failures = failures + 1, last_error = ${error}, retry_at = now() + ${pauseMs} * interval '1 millisecond'
        FROM trigger_sources s WHERE s.hold_id = ${lease.leaseId} AND ${isSourceOf}`.execute(tx);
      await releaseLeases(tx, [lease.leaseId]);
    });
  }

  /** Records an error of a listener that keeps listening; a success clears it. */
  async note(lease: SourceLeaseRef, error: string): Promise<void> {
    await sql`UPDATE triggers t SET failures = failures + 1, last_error = ${error}
      FROM trigger_sources s WHERE s.hold_id = ${lease.leaseId} AND ${isSourceOf}`.execute(this.#db.kysely);
  }

  /** Records that a listener is listening. */
  async succeed(lease: SourceLeaseRef): Promise<void> {
    await inTransaction(this.#db.kysely, async (tx) => {
      if (await lockSource(tx, lease)) await noteSuccess(tx, lease);
    });
  }

  async countListeners(): Promise<ListenerCounts> {
    const [row] = await this.#db.query<{ listeners: number; workers: number }>({
      name: 'share-of-sources',
      text: `SELECT (SELECT count(*)::int FROM triggers WHERE kind = 'listen') AS listeners,
        (SELECT count(*)::int FROM workers WHERE lease_expires_at > now()) AS workers`,
      values: [],
    });
    return { listeners: row?.listeners ?? 0, workers: row?.workers ?? 0 };
  }
}

/** Joins a source to its trigger, as `s` and `t`. */
const isSourceOf = sql`t.workflow_id = s.workflow_id AND t.node_name = s.node_name AND t.ordinal = s.ordinal`;

export async function releaseLeases(db: Kysely<Tables>, leaseIds: readonly string[]): Promise<void> {
  await sql`UPDATE trigger_sources SET hold_id = NULL, worker_id = NULL, held_until = NULL
    WHERE hold_id = ANY (${leaseIds}::text[])`.execute(db);
}

/** Part of a transaction that has locked the lease: records a success. */
export async function noteSuccess(tx: Kysely<Tables>, { leaseId }: SourceLeaseRef): Promise<void> {
  await sql`UPDATE triggers t SET failures = 0, last_error = NULL, retry_at = NULL
    FROM trigger_sources s WHERE s.hold_id = ${leaseId} AND ${isSourceOf} AND (t.failures > 0 OR t.retry_at IS NOT NULL)`.execute(
    tx,
  );
  await sql`UPDATE trigger_sources SET last_success_at = now() WHERE hold_id = ${leaseId}`.execute(tx);
}

/** Written as in the indexes of `triggers`. */
const isDue = {
  poll: sql`t.kind = 'poll' AND t.next_at IS NOT NULL AND greatest(t.next_at, t.retry_at) <= now()`,
  listen: sql`t.kind = 'listen' AND (t.retry_at IS NULL OR t.retry_at <= now())`,
};

async function takeSome(
  tx: Kysely<Tables>,
  { kind, limit, workerId, leaseMs, nodeTypes, except, full }: TakeSources,
): Promise<string[]> {
  const [workflowIds, nodeNames] = [except.map((name) => name.workflowId), except.map((name) => name.nodeName)];
  const { rows } = await sql<{ hold_id: string }>`
    WITH free AS (
      SELECT s.workflow_id, s.node_name, s.ordinal
      FROM triggers t JOIN trigger_sources s ON ${isSourceOf} JOIN workflows w ON w.id = t.workflow_id
      WHERE ${isDue[kind]} AND w.active AND (s.held_until IS NULL OR s.held_until < now())
        AND ${isForWorker(sql`s.foreign_type`, nodeTypes)}
        AND (t.workflow_id, t.node_name) NOT IN (SELECT * FROM unnest(${workflowIds}::text[], ${nodeNames}::text[]))
        AND (w.project_id <> ALL (${full}::text[]) OR NOT EXISTS (
          SELECT FROM triggers o JOIN workflows v ON v.id = o.workflow_id
          WHERE o.kind = ${kind} AND v.active AND v.project_id <> ALL (${full}::text[])))
      ORDER BY greatest(t.next_at, t.retry_at) NULLS FIRST LIMIT ${limit}
      FOR UPDATE OF s SKIP LOCKED
    )
    UPDATE trigger_sources s SET hold_id = gen_random_uuid()::text, worker_id = ${workerId},
      held_until = now() + ${leaseMs} * interval '1 millisecond'
    FROM free f WHERE s.workflow_id = f.workflow_id AND s.node_name = f.node_name AND s.ordinal = f.ordinal
    RETURNING s.hold_id`.execute(tx);
  return rows.map(({ hold_id }) => hold_id);
}

async function readLeases(tx: Kysely<Tables>, leaseIds: readonly string[]): Promise<LeaseRow[]> {
  const { rows } = await sql<LeaseRow>`
    SELECT s.hold_id, t.workflow_id, t.node_name, t.ordinal, t.spec, s.cursor, v.graph_hash, w.name AS workflow_name, w.project_id, t.failures,
      t.next_at, t.created_at, now() AS now
    FROM trigger_sources s JOIN triggers t ON ${isSourceOf} JOIN workflows w ON w.id = t.workflow_id
    JOIN workflow_versions v ON v.id = w.active_version_id
    WHERE s.hold_id = ANY (${leaseIds}::text[])`.execute(tx);
  return rows;
}

async function toLease(row: LeaseRow): Promise<SourceLease> {
  return {
    leaseId: row.hold_id,
    workflowId: row.workflow_id,
    nodeName: row.node_name,
    ordinal: row.ordinal,
    spec: row.spec,
    cursor: row.cursor === null ? undefined : await unpackJson<JsonObject>(row.cursor),
    graphHash: row.graph_hash,
    workflowName: row.workflow_name,
    projectId: row.project_id,
    failures: row.failures,
    tick: row.next_at?.getTime(),
    since: row.created_at.getTime(),
    now: row.now.getTime(),
  };
}
