import type { JsonObject, SkipReason, TriggerSpec, WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { type PlacedSource, replaceSources } from './replace-sources.ts';
import type { ScheduleState } from './schedule-ticks.ts';
import { lockRoutes, type PlacedWebhook, replaceRoutes, routesOfAll } from './webhook-routes.ts';

/** Something that a workflow is to be started by, from its activation on. */
export interface NewTrigger {
  nodeName: string;
  spec: TriggerSpec;
  /** When it is due first; null: not by time. */
  nextAt: Date | null;
  /** Of polls and listeners: the node's type, where that is of an installed package (`foreignTypesOf`); absent: any worker has it. */
  foreignType?: string | undefined;
  /** Of the node: by it a poll or a listener is known once it has another name; absent: by its name. */
  nodeId?: string | undefined;
  /** The instant that `nextAt` was worked out for, where its schedule begins; absent: that of the transaction. */
  since?: Date;
}

/** Something that an active workflow is started by, as users see it. */
export interface ActiveTrigger {
  nodeName: string;
  kind: TriggerSpec['kind'];
  nextAt: Date | null;
  /** After failures: when it is tried again. */
  retryAt: Date | null;
  failures: number;
  lastError: string | null;
  lastExecutionId: string | null;
  /** The last tick that started nothing. */
  lastSkip: { at: Date; reason: SkipReason } | null;
  createdAt: Date;
  /** Of polls and listeners: when it last polled, listened or started something, and the worker that has it now. */
  lastSuccessAt: Date | null;
  heldBy: string | null;
}

/** What active workflows are started by. The rows are written by activations and nobody else. */
export class TriggerRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** The database's clock, in milliseconds: what schedules go by. */
  async now(): Promise<number> {
    const query = this.#db.selectNoFrom(sql<Date>`clock_timestamp()`.as('now'));
    return (await query.executeTakeFirstOrThrow()).now.getTime();
  }

  /** Of one workflow; access to it is the caller's to check first. Node by node, in the order of their names. */
  async list(workflowId: WorkflowId): Promise<ActiveTrigger[]> {
    const rows = await this.#db
      .selectFrom('triggers as t')
      .leftJoin('trigger_sources as s', (join) =>
        join
          .onRef('s.workflow_id', '=', 't.workflow_id')
          .onRef('s.node_name', '=', 't.node_name')
          .onRef('s.ordinal', '=', 't.ordinal'),
      )
      .selectAll('t')
      .select('s.last_success_at')
      .select(sql<string | null>`CASE WHEN s.held_until >= now() THEN s.worker_id END`.as('held_by'))
      .where('t.workflow_id', '=', workflowId)
      .orderBy('t.node_name')
      .orderBy('t.ordinal')
      .execute();
    return rows.map((row) => ({
      nodeName: row.node_name,
      kind: row.kind,
      nextAt: row.next_at,
      retryAt: row.failures > 0 ? row.retry_at : null,
      failures: row.failures,
      lastError: row.last_error,
      lastExecutionId: row.last_execution_id,
      lastSkip: lastSkipOf(row.state),
      createdAt: row.created_at,
      lastSuccessAt: row.last_success_at,
      heldBy: row.held_by,
    }));
  }
}

function lastSkipOf(state: JsonObject | null): ActiveTrigger['lastSkip'] {
  const { lastSkip } = (state ?? {}) as ScheduleState;
  return lastSkip ? { at: new Date(lastSkip.at), reason: lastSkip.reason } : null;
}

/**
 * Part of the transaction that activates or deactivates a workflow, under its lock: from then on it is started by these, and by nothing else. What
 * stays as it was keeps its place, so that a tick which is due just now is not lost, and an interval goes on.
 */
export async function replaceTriggers(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  triggers: readonly NewTrigger[],
): Promise<void> {
  const rows = numbered(triggers);
  const routes = routesOfAll(rows.flatMap(toWebhook));
  await lockRoutes(tx, workflowId, routes);
  const [names, ordinals] = [rows.map(({ nodeName }) => nodeName), rows.map(({ ordinal }) => ordinal)];
  await sql`DELETE FROM triggers t WHERE workflow_id = ${workflowId} AND NOT EXISTS (
    SELECT FROM unnest(${names}::text[], ${ordinals}::int[]) AS kept (node_name, ordinal)
    WHERE kept.node_name = t.node_name AND kept.ordinal = t.ordinal)`.execute(tx);
  if (rows.length > 0) await upsert(tx, workflowId, rows);
  await replaceSources(tx, workflowId, rows.flatMap(toSource), { keepCursors: rows.length === 0 });
  await replaceRoutes(tx, workflowId, routes);
}

function toWebhook({ nodeName, ordinal, spec }: NewTrigger & { ordinal: number }): PlacedWebhook[] {
  return spec.kind === 'webhook' || spec.kind === 'form' ? [{ nodeName, ordinal, spec }] : [];
}

function toSource({ nodeName, ordinal, spec, foreignType, nodeId }: NewTrigger & { ordinal: number }): PlacedSource[] {
  return spec.kind === 'poll' || spec.kind === 'listen' ? [{ nodeName, ordinal, spec, foreignType, nodeId }] : [];
}

async function upsert(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  rows: readonly (NewTrigger & { ordinal: number })[],
): Promise<void> {
  const [names, ordinals] = [rows.map(({ nodeName }) => nodeName), rows.map(({ ordinal }) => ordinal)];
  const specs = rows.map(({ spec }) => JSON.stringify(spec));
  const kinds = rows.map(({ spec }) => spec.kind);
  const due = rows.map(({ nextAt }) => nextAt?.toISOString() ?? null);
  const begins = rows.map(({ since }) => since?.toISOString() ?? null);
  await sql`INSERT INTO triggers AS t (workflow_id, node_name, ordinal, kind, spec, next_at, created_at)
    SELECT ${workflowId}::text, i.node_name, i.ordinal, i.kind, i.spec, i.next_at, coalesce(i.since, now())
    FROM unnest(${names}::text[], ${ordinals}::smallint[], ${kinds}::text[], ${specs}::json[], ${due}::timestamptz[], ${begins}::timestamptz[])
      AS i (node_name, ordinal, kind, spec, next_at, since)
    ON CONFLICT (workflow_id, node_name, ordinal) DO UPDATE SET kind = excluded.kind, spec = excluded.spec, state = NULL,
      next_at = excluded.next_at, retry_at = NULL, failures = 0, last_error = NULL, created_at = excluded.created_at
    WHERE t.spec::text <> excluded.spec::text`.execute(tx);
}

function numbered(triggers: readonly NewTrigger[]): (NewTrigger & { ordinal: number })[] {
  const counts = new Map<string, number>();
  return triggers.map((trigger) => {
    const ordinal = counts.get(trigger.nodeName) ?? 0;
    counts.set(trigger.nodeName, ordinal + 1);
    return { ...trigger, ordinal };
  });
}
