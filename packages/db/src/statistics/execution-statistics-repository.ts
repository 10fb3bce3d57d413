import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Access, isAccessible } from '../access.ts';
import { belongsTo } from '../executions/row/owning-project.ts';
import { constantSql } from '../statements/compiled.ts';
import type { Tables } from '../tables/tables.ts';
import { binSql, durationOfBin, noDuration, quantileBin } from './duration-bins.ts';

interface StatisticsFilter {
  projectId?: string | undefined;
  workflowId?: string | undefined;
}

/** The period ends with the current bucket. */
export interface StatisticsPeriod {
  /** Seconds of a stored bucket: one of `grains`. */
  grainS: number;
  /** Seconds of a bucket of the result: a multiple of `grainS`. */
  bucketS: number;
  buckets: number;
}

interface EndedCounts {
  succeeded: number;
  failed: number;
  canceled: number;
}

/**
 * Milliseconds from start to end of executions that succeeded or failed, waits included; null
 * without such executions.
 */
interface Durations {
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
}

interface StatisticsBucket extends EndedCounts, Durations {
  at: Date;
}

interface WorkflowStatistics extends EndedCounts, Durations {
  workflowId: string;
  workflowName: string;
}

export interface ExecutionStatistics {
  buckets: StatisticsBucket[];
  total: EndedCounts & Durations;
  /** By p95 of the duration. */
  slowest: WorkflowStatistics[];
  /** By the number of failures. */
  mostFailing: WorkflowStatistics[];
}

export interface LiveStatistics {
  /** Each counted up to 100,000. */
  queued: number;
  running: number;
  waiting: number;
  /** When the oldest queued execution was queued. */
  oldestQueuedAt: Date | null;
}

/** Maximum count of executions that have not ended. */
const maxLive = 100_000;
/** Number of workflows listed. */
const maxListedWorkflows = 10;
/** Maximum number of executions that are read because they are not rolled up yet. */
const maxTail = 20_000;
const maxPendingTail = 1_000;

interface CountRow {
  at: Date;
  status: string;
  bin: number;
  n: number;
}

interface WorkflowRow extends EndedCounts {
  workflow_id: string;
  name: string;
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

/** The read model of `GET /statistics`. */
export class ExecutionStatisticsRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async read(filter: StatisticsFilter, access: Access, period: StatisticsPeriod): Promise<ExecutionStatistics> {
    const visible = visibleWorkflows(filter, access);
    const { rows: clock } = await sql<{ last: Date }>`
      SELECT date_bin(make_interval(secs => ${period.bucketS}), now(), 'epoch') AS last`.execute(this.#db);
    const lastAt = clock[0]?.last.getTime() ?? 0;
    const starts = Array.from(
      { length: period.buckets },
      (_, index) => new Date(lastAt - (period.buckets - 1 - index) * period.bucketS * 1_000),
    );
    const from = starts[0] ?? new Date(lastAt);
    const counts = countsOf(visible, period.grainS, from);
    const [byTime, slowest, mostFailing] = await Promise.all([
      this.#byTime(counts, period.bucketS),
      this.#workflows(counts, sql`p95 DESC NULLS LAST`, sql`p95 IS NOT NULL`),
      this.#workflows(counts, sql`failed DESC`, sql`failed > 0`),
    ]);
    const perBucket = Map.groupBy(byTime, ({ at }) => at.getTime());
    return {
      buckets: starts.map((at) => ({ at, ...summary(perBucket.get(at.getTime()) ?? []) })),
      total: summary(byTime.filter(({ at }) => at >= from)),
      slowest,
      mostFailing,
    };
  }

  async readLive({ workflowId, projectId }: StatisticsFilter, access: Access): Promise<LiveStatistics> {
    const projectIds = projectId === undefined ? access.projectIds : access.includes(projectId) ? [projectId] : [];
    const inScope = sql<boolean>`${belongsTo(projectIds)}
      AND ${workflowId === undefined ? sql`true` : sql`workflow_id = ${workflowId}`}`;
    const countOf = (status: string) =>
      sql`(SELECT count(*)::int FROM (SELECT FROM executions WHERE status = ${status} AND ${inScope} LIMIT ${maxLive}) AS live)`;
    const { rows } = await sql<LiveStatistics>`
      SELECT ${countOf('new')} AS queued, ${countOf('running')} AS running, ${countOf('waiting')} AS waiting,
        (SELECT queued_at FROM executions WHERE status = 'new' AND queued_at < 'infinity' AND ${inScope}
          ORDER BY queued_at LIMIT 1) AS "oldestQueuedAt"`.execute(this.#db);
    return rows[0] ?? { queued: 0, running: 0, waiting: 0, oldestQueuedAt: null };
  }

  async #byTime(counts: RawBuilder<unknown>, bucketS: number): Promise<CountRow[]> {
    const { rows } = await sql<CountRow>`WITH counts AS (${counts})
      SELECT date_bin(make_interval(secs => ${bucketS}), at, 'epoch') AS at, status, bin, sum(n)::int AS n
      FROM counts GROUP BY 1, 2, 3`.execute(this.#db);
    return rows;
  }

  async #workflows(
    counts: RawBuilder<unknown>,
    order: RawBuilder<unknown>,
    having: RawBuilder<unknown>,
  ): Promise<WorkflowStatistics[]> {
    const { rows } = await sql<WorkflowRow>`WITH counts AS (
        SELECT workflow_id, status, bin, sum(n) AS n FROM (${counts}) AS c GROUP BY 1, 2, 3
      ), ends AS (
        SELECT workflow_id, coalesce(sum(n) FILTER (WHERE status = 'success'), 0)::int AS succeeded,
          coalesce(sum(n) FILTER (WHERE status IN ('error', 'crashed')), 0)::int AS failed,
          coalesce(sum(n) FILTER (WHERE status = 'canceled'), 0)::int AS canceled
        FROM counts GROUP BY 1
      ), timed AS (
        SELECT workflow_id, bin, sum(sum(n)) OVER (PARTITION BY workflow_id ORDER BY bin) AS upto,
          sum(sum(n)) OVER (PARTITION BY workflow_id) AS total
        FROM counts WHERE status IN ('success', 'error') AND bin >= 0 GROUP BY workflow_id, bin
      ), quantiles AS (
        SELECT workflow_id, min(bin) FILTER (WHERE upto >= 0.5 * total) AS p50, min(bin) FILTER (WHERE upto >= 0.95 * total) AS p95,
          min(bin) FILTER (WHERE upto >= 0.99 * total) AS p99
        FROM timed GROUP BY 1
      )
      SELECT w.name, e.*, q.p50, q.p95, q.p99 FROM ends e JOIN workflows w ON w.id = e.workflow_id
      LEFT JOIN quantiles q ON q.workflow_id = e.workflow_id
      WHERE ${having} ORDER BY ${order}, e.workflow_id LIMIT ${maxListedWorkflows}`.execute(this.#db);
    return rows.map(({ workflow_id, name, succeeded, failed, canceled, p50, p95, p99 }) => ({
      workflowId: workflow_id,
      workflowName: name,
      succeeded,
      failed,
      canceled,
      p50Ms: msOf(p50),
      p95Ms: msOf(p95),
      p99Ms: msOf(p99),
    }));
  }
}

/**
 * Stored counts, plus counts of executions that the roll-up has not counted yet. One statement
 * reads both from one snapshot, so no execution is counted twice.
 */
function countsOf(visible: RawBuilder<boolean>, grainS: number, from: Date): RawBuilder<unknown> {
  const bin = constantSql(binSql('e.started_at', 'e.stopped_at'));
  return sql`
    SELECT s.at, s.workflow_id, s.status, s.bin, s.count AS n FROM execution_statistics s JOIN workflows w ON w.id = s.workflow_id
    WHERE s.grain_s = ${grainS} AND s.at >= ${from} AND ${visible}
    UNION ALL
    SELECT e.stopped_at, e.workflow_id, e.status, ${bin}, 1 FROM (
      SELECT t.* FROM statistics_progress p,
        LATERAL (SELECT * FROM executions WHERE id > p.last_id ORDER BY id LIMIT ${maxTail}) t
      UNION ALL
      SELECT t.* FROM (SELECT execution_id FROM statistics_pending ORDER BY execution_id DESC LIMIT ${maxPendingTail}) p
        JOIN executions t ON t.id = p.execution_id
    ) AS e JOIN workflows w ON w.id = e.workflow_id WHERE e.stopped_at >= ${from} AND ${visible}`;
}

/** Condition on `workflows w`. */
function visibleWorkflows({ projectId, workflowId }: StatisticsFilter, access: Access): RawBuilder<boolean> {
  const projects = isAccessible(access, 'w.project_id');
  return sql<boolean>`${projects} AND ${projectId === undefined ? sql`true` : sql`w.project_id = ${projectId}`}
    AND ${workflowId === undefined ? sql`true` : sql`w.id = ${workflowId}`}`;
}

function summary(rows: readonly CountRow[]): EndedCounts & Durations {
  const countOf = (...statuses: string[]) =>
    rows.filter(({ status }) => statuses.includes(status)).reduce((sum, { n }) => sum + n, 0);
  const bins = new Map<number, number>();
  for (const { status, bin, n } of rows) {
    const isTimed = bin !== noDuration && (status === 'success' || status === 'error');
    if (isTimed) bins.set(bin, (bins.get(bin) ?? 0) + n);
  }
  return {
    succeeded: countOf('success'),
    failed: countOf('error', 'crashed'),
    canceled: countOf('canceled'),
    p50Ms: msOf(quantileBin(bins, 0.5)),
    p95Ms: msOf(quantileBin(bins, 0.95)),
    p99Ms: msOf(quantileBin(bins, 0.99)),
  };
}

function msOf(bin: number | null | undefined): number | null {
  return bin === null || bin === undefined ? null : durationOfBin(bin);
}
