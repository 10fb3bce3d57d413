import {
  type ExecutionId,
  isAppError,
  type ScheduleTrigger,
  type SkipReason,
  TimeSlice,
  type WorkflowId,
} from '@sluice/domain';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../connection/database.ts';
import type { AttemptRef } from '../executions/row/attempt-ref.ts';
import type { ExecutionInput } from '../executions/row/execution.ts';
import { encodeJson } from '../json/codec.ts';
import { compiled } from '../statements/compiled.ts';
import { rows, statement } from '../statements/statement.ts';
import type { Tables } from '../tables/tables.ts';

/** State of a schedule; timestamps in ISO 8601. */
export interface ScheduleState {
  /**
   * Its overlap policy queues ticks until the previous execution has ended, and ticks are queued.
   */
  queueing?: boolean;
  lastSkip?: { at: string; reason: SkipReason };
}

/** A due schedule. Times are milliseconds of the database's clock. */
export interface DueTick {
  id: string;
  workflowId: WorkflowId;
  projectId: string;
  nodeName: string;
  spec: ScheduleTrigger;
  state: ScheduleState;
  /** Start of the schedule. */
  since: number;
  tick: number;
  now: number;
  /** Whether the execution that it started last has not ended. */
  busy: boolean;
  failures: number;
}

/** How a due tick is handled. */
export interface TickDecision {
  /** When the trigger is due next; null if never again. */
  nextAt: number | null;
  /** The trigger does not run before this time, even if it is due. */
  retryAt?: number;
  state: ScheduleState;
  /** Starts an execution with this input. */
  start?: ExecutionInput | undefined;
  /** Reason of a failure. */
  error?: string;
}

export interface TickPolicy {
  /** Decides how to handle a due tick. Must only compute: the ticks are locked meanwhile. */
  decide(due: DueTick): TickDecision | Promise<TickDecision>;
  /** For a schedule whose decision could not be stored. */
  fail(due: DueTick, error: unknown): TickDecision;
}

export interface TakenTicks {
  /** Number of schedules that were due and not locked. */
  count: number;
  started: AttemptRef[];
  /** Projects of the started executions. */
  projectIds: string[];
}

const nextDueText = `
SELECT extract(epoch FROM greatest(t.next_at, t.retry_at) - clock_timestamp()) * 1000 AS ms
FROM triggers t JOIN workflows w ON w.id = t.workflow_id
WHERE t.kind = 'schedule' AND t.next_at IS NOT NULL AND w.active
ORDER BY greatest(t.next_at, t.retry_at) LIMIT 1`;

// The workflow's row is locked first, as by a foreign key: a concurrent activation, which takes a
// full row lock, commits before or after, without deadlock.
const dueText = `
SELECT t.id, t.workflow_id, w.project_id, t.node_name, t.spec, t.state, t.created_at, t.next_at, t.failures, now() AS now
FROM triggers t JOIN workflows w ON w.id = t.workflow_id
WHERE t.kind = 'schedule' AND t.next_at IS NOT NULL AND greatest(t.next_at, t.retry_at) <= now() AND w.active
ORDER BY greatest(t.next_at, t.retry_at) LIMIT $1
FOR UPDATE OF t SKIP LOCKED FOR KEY SHARE OF w SKIP LOCKED`;

// A later snapshot than the one that locked the schedules: another process may have started an
// execution in between.
const busyText = `
SELECT t.id FROM triggers t JOIN executions e ON e.id = t.last_execution_id
WHERE t.id = ANY ($1::bigint[]) AND e.status IN ('new', 'running', 'waiting')`;

// The guard names the tick although its row is locked, so that no tick is handled twice.
const settleStatement = statement({
  name: 'settle-ticks',
  parameters: {
    ticks: rows<DecidedTick>('i', {
      id: ['bigint', ({ row }) => row.id],
      tick: ['timestamptz', ({ row }) => row.next_at.toISOString()],
      next_at: ['timestamptz', ({ decision }) => instant(decision.nextAt)],
      retry_at: ['timestamptz', ({ decision }) => instant(decision.retryAt)],
      state: ['json', ({ decision }) => JSON.stringify(decision.state)],
      failures: ['int', ({ row, decision }) => (decision.error === undefined ? 0 : row.failures + 1)],
      last_error: ['text', ({ decision }) => decision.error ?? null],
      data: ['bytea', ({ decision }) => (decision.start ? encodeJson(decision.start) : null)],
    }),
  },
  text: ({ ticks }) => `
WITH settled AS MATERIALIZED (
  SELECT i.*, t.workflow_id, w.project_id, w.active_version_id, v.graph_hash, g.timeout_ms,
    CASE WHEN i.data IS NOT NULL THEN nextval('executions_id_seq') END AS execution_id
  FROM ${ticks}
  JOIN triggers t ON t.id = i.id AND t.next_at = i.tick
  JOIN workflows w ON w.id = t.workflow_id
  JOIN workflow_versions v ON v.id = w.active_version_id
  JOIN workflow_graphs g ON g.workflow_id = w.id AND g.hash = v.graph_hash
), moved AS (
  UPDATE triggers t SET next_at = s.next_at, retry_at = s.retry_at, state = s.state, failures = s.failures, last_error = s.last_error,
    last_execution_id = coalesce(s.execution_id, t.last_execution_id)
  FROM settled s WHERE t.id = s.id AND t.next_at = s.tick
), inserted AS (
  INSERT INTO executions (id, workflow_id, project_id, graph_hash, version_id, status, mode, timeout_ms)
  SELECT execution_id, workflow_id, project_id, graph_hash, active_version_id, 'new', 'trigger', timeout_ms
  FROM settled WHERE execution_id IS NOT NULL
), inputs AS (
  INSERT INTO execution_inputs (execution_id, data) SELECT execution_id, data FROM settled WHERE execution_id IS NOT NULL
)
SELECT execution_id AS id, project_id FROM settled WHERE execution_id IS NOT NULL ORDER BY execution_id`,
});

interface DueRow {
  id: string;
  workflow_id: WorkflowId;
  project_id: string;
  node_name: string;
  spec: ScheduleTrigger;
  state: ScheduleState | null;
  created_at: Date;
  next_at: Date;
  failures: number;
  now: Date;
}

/**
 * Ticks of the schedules of active workflows. One transaction advances a tick and inserts the
 * execution that it starts, so each tick starts exactly one, even if many processes claim ticks and
 * some of them die.
 */
export class ScheduleTickRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Milliseconds until the next tick is due, negative if overdue; `undefined` if there is none. */
  async nextDueMs(): Promise<number | undefined> {
    const [row] = await this.#db.query<{ ms: string }>({ name: 'next-tick', text: nextDueText, values: [] });
    return row && Number(row.ms);
  }

  /**
   * Claims some due ticks, the longest overdue first, and applies the decision of `policy` to each.
   * The caller enqueues the started executions. A tick that cannot be stored is a failure of its
   * schedule, handled by `fail`; the others proceed.
   */
  async take(limit: number, policy: TickPolicy): Promise<TakenTicks> {
    try {
      return await this.#take(limit, policy.decide, settle);
    } catch (error) {
      if (isAppError(error) && error.retryable) throw error;
      return this.#take(limit, policy.decide, (tx, ticks) => settleEach(tx, ticks, policy.fail));
    }
  }

  async #take(limit: number, decide: TickPolicy['decide'], settling: typeof settle): Promise<TakenTicks> {
    return this.#db.kysely.transaction().execute(async (tx) => {
      const { rows } = await tx.executeQuery(compiled<DueRow>({ text: dueText, values: [limit] }));
      if (rows.length === 0) return { count: 0, started: [], projectIds: [] };
      const busy = await findBusy(tx, rows);
      const ticks: DecidedTick[] = [];
      const slice = new TimeSlice();
      for (const row of rows) {
        const due = toDue(row, busy.has(row.id));
        ticks.push({ row, due, decision: await decide(due) });
        if (slice.isOver) await slice.next();
      }
      const started = await settling(tx, ticks);
      return {
        count: rows.length,
        started: started.map(({ id }) => ({ executionId: id, attempt: 1 })),
        projectIds: started.map(({ project_id }) => project_id),
      };
    });
  }
}

interface StartedRow {
  id: ExecutionId;
  project_id: string;
}

/** A due tick and how it is handled. */
interface DecidedTick {
  row: DueRow;
  due: DueTick;
  decision: TickDecision;
}

/** Ids of the schedules whose last execution has not ended. */
async function findBusy(tx: Transaction<Tables>, due: readonly DueRow[]): Promise<Set<string>> {
  const ids = due.map(({ id }) => id);
  const { rows } = await tx.executeQuery(compiled<{ id: string }>({ text: busyText, values: [ids] }));
  return new Set(rows.map(({ id }) => id));
}

async function settleEach(
  tx: Transaction<Tables>,
  ticks: readonly DecidedTick[],
  fail: TickPolicy['fail'],
): Promise<StartedRow[]> {
  const started: StartedRow[] = [];
  for (const one of ticks) {
    await sql`SAVEPOINT settled`.execute(tx);
    try {
      started.push(...(await settle(tx, [one])));
    } catch (error) {
      if (isAppError(error) && error.retryable) throw error;
      await sql`ROLLBACK TO SAVEPOINT settled`.execute(tx);
      await settle(tx, [{ ...one, decision: fail(one.due, error) }]);
    }
  }
  return started;
}

async function settle(tx: Transaction<Tables>, ticks: readonly DecidedTick[]): Promise<StartedRow[]> {
  const { rows } = await tx.executeQuery(compiled<StartedRow>(settleStatement({ ticks })));
  return [...rows];
}

function instant(ms: number | null | undefined): string | null {
  return ms == null ? null : new Date(ms).toISOString();
}

function toDue(row: DueRow, busy: boolean): DueTick {
  return {
    id: row.id,
    workflowId: row.workflow_id,
    projectId: row.project_id,
    nodeName: row.node_name,
    spec: row.spec,
    state: row.state ?? {},
    since: row.created_at.getTime(),
    tick: row.next_at.getTime(),
    now: row.now.getTime(),
    busy,
    failures: row.failures,
  };
}
