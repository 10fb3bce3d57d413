import type { JsonObject, SkipReason, TriggerSpec, WorkflowId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { lockRoutes, type NodeWebhook, replaceRoutes, routesOfAll } from './replace-routes.ts';
import { type NodeSource, replaceSources } from './replace-sources.ts';
import type { ScheduleState } from './schedule-tick-repository.ts';

/** A trigger to store at an activation. */
export interface NewTrigger {
  nodeName: string;
  spec: TriggerSpec;
  /** When it is first due; null if it is not due by time. */
  nextAt: Date | null;
  /**
   * For polls and listeners: the node's type if it is from an installed package (`foreignTypesOf`);
   * absent: any worker has it.
   */
  foreignType?: string | undefined;
  /**
   * Id of the node, which identifies a poll or a listener after a rename; absent: its name does.
   */
  nodeId?: string | undefined;
  /**
   * The time for which `nextAt` was computed, when its schedule starts; absent: the time of the
   * transaction.
   */
  since?: Date;
}

/** A trigger of an active workflow, as shown to users. */
export interface ActiveTrigger {
  nodeName: string;
  kind: TriggerSpec['kind'];
  nextAt: Date | null;
  /** After failures: the next try. */
  retryAt: Date | null;
  failures: number;
  lastError: string | null;
  lastExecutionId: string | null;
  /** The last tick that started no execution. */
  lastSkip: { at: Date; reason: SkipReason } | null;
  createdAt: Date;
  /**
   * For polls and listeners: when it last polled, listened, or started an execution, and the worker
   * that runs it now.
   */
  lastSuccessAt: Date | null;
  heldBy: string | null;
  spec: TriggerSpec;
}

/** A trigger and its position among the triggers of its node, which together identify its row. */
interface NumberedTrigger extends NewTrigger {
  ordinal: number;
}

/** Triggers of active workflows. Only activations write the rows. */
export class TriggerRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** The database's clock in milliseconds, which schedules follow. */
  async now(): Promise<number> {
    const query = this.#db.selectNoFrom(sql<Date>`clock_timestamp()`.as('now'));
    return (await query.executeTakeFirstOrThrow()).now.getTime();
  }

  /** Triggers of one workflow, sorted by node name; the caller checks access to it first. */
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
      spec: row.spec,
    }));
  }
}

function lastSkipOf(state: JsonObject | null): ActiveTrigger['lastSkip'] {
  const { lastSkip } = (state ?? {}) as ScheduleState;
  return lastSkip ? { at: new Date(lastSkip.at), reason: lastSkip.reason } : null;
}

/**
 * Part of the transaction that activates or deactivates a workflow, under its lock: replaces all
 * its triggers. Unchanged ones keep their state, so that a tick that is due now is not lost, and an
 * interval continues.
 */
export async function replaceTriggers(
  tx: Kysely<Tables>,
  workflowId: WorkflowId,
  triggers: readonly NewTrigger[],
): Promise<void> {
  const rows = withOrdinals(triggers);
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

function toWebhook({ nodeName, ordinal, spec }: NumberedTrigger): NodeWebhook[] {
  return spec.kind === 'webhook' || spec.kind === 'form' ? [{ nodeName, ordinal, spec }] : [];
}

function toSource({ nodeName, ordinal, spec, foreignType, nodeId }: NumberedTrigger): NodeSource[] {
  return spec.kind === 'poll' || spec.kind === 'listen' ? [{ nodeName, ordinal, spec, foreignType, nodeId }] : [];
}

async function upsert(tx: Kysely<Tables>, workflowId: WorkflowId, rows: readonly NumberedTrigger[]): Promise<void> {
  const [names, ordinals] = [rows.map(({ nodeName }) => nodeName), rows.map(({ ordinal }) => ordinal)];
  const specs = rows.map(({ spec }) => JSON.stringify(spec));
  const kinds = rows.map(({ spec }) => spec.kind);
  const dueTimes = rows.map(({ nextAt }) => nextAt?.toISOString() ?? null);
  const startTimes = rows.map(({ since }) => since?.toISOString() ?? null);
  await sql`INSERT INTO triggers AS t (workflow_id, node_name, ordinal, kind, spec, next_at, created_at)
    SELECT ${workflowId}::text, i.node_name, i.ordinal, i.kind, i.spec, i.next_at, coalesce(i.since, now())
    FROM unnest(${names}::text[], ${ordinals}::smallint[], ${kinds}::text[], ${specs}::json[], ${dueTimes}::timestamptz[], ${startTimes}::timestamptz[])
      AS i (node_name, ordinal, kind, spec, next_at, since)
    ON CONFLICT (workflow_id, node_name, ordinal) DO UPDATE SET kind = excluded.kind, spec = excluded.spec, state = NULL,
      next_at = excluded.next_at, retry_at = NULL, failures = 0, last_error = NULL, created_at = excluded.created_at
    WHERE t.spec::text <> excluded.spec::text`.execute(tx);
}

function withOrdinals(triggers: readonly NewTrigger[]): NumberedTrigger[] {
  const counts = new Map<string, number>();
  return triggers.map((trigger) => {
    const ordinal = counts.get(trigger.nodeName) ?? 0;
    counts.set(trigger.nodeName, ordinal + 1);
    return { ...trigger, ordinal };
  });
}
