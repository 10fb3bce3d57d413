import type { ExecutionId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import type { Access } from '../../access.ts';
import { belongsTo } from '../../executions/row/owning-project.ts';
import { ShortCache } from '../../short-cache.ts';
import type { Tables } from '../../tables/tables.ts';
import { type ExecutionFilter, findInnerScope, findScope } from './execution-scope.ts';
import { atMost, type ListScope, matches, newestIds } from './newest-executions.ts';
import { type ShownExecution, selectShown, toShown } from './shown-execution.ts';

/** One page of the list. */
export interface ExecutionPageRequest {
  limit: number;
  /** Position of the page: it starts after this execution, newest first. */
  beforeId?: ExecutionId;
}

export interface ExecutionCount {
  count: number;
  estimated: boolean;
}

/**
 * `count` is exact up to this number under the same filter; above it, it is an estimate (decision
 * 4.2).
 */
const exactCountLimit = 10_000;
/**
 * Age in milliseconds at which an estimate is recomputed on the next request. The old one is used
 * until then.
 */
const renewMs = 1_000;
const keepMs = 10_000;

interface Estimate {
  counted: ExecutionCount;
  /** By the clock of `performance.now()`. */
  madeAt: number;
}

/** The read model of `GET /executions`. */
export class ExecutionListRepository {
  readonly #db: Kysely<Tables>;
  readonly #estimates = new ShortCache<Estimate>({ ms: keepMs });
  /** Keys of the estimates that are being recomputed. */
  readonly #renewing = new Set<string>();

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** A page and the total count, under the same filter. */
  async read(
    filter: ExecutionFilter,
    access: Access,
    page: ExecutionPageRequest,
  ): Promise<{ executions: ShownExecution[]; counted: ExecutionCount }> {
    const scope = await findScope(this.#db, filter, access);
    if (!scope) return { executions: [], counted: { count: 0, estimated: false } };
    const [executions, counted] = await Promise.all([this.#page(scope, page), this.#count(scope)]);
    return { executions, counted };
  }

  /** Newest first. */
  async page(filter: ExecutionFilter, access: Access, page: ExecutionPageRequest): Promise<ShownExecution[]> {
    const scope = await findScope(this.#db, filter, access);
    return scope ? this.#page(scope, page) : [];
  }

  async count(filter: ExecutionFilter, access: Access): Promise<ExecutionCount> {
    const scope = await findScope(this.#db, filter, access);
    return scope ? this.#count(scope) : { count: 0, estimated: false };
  }

  /** Number of executions of the caller's projects that are running now. */
  async countRunning({ projectIds }: Access): Promise<number> {
    const query = this.#db.selectFrom('executions').where('status', '=', 'running').where(belongsTo(projectIds));
    const { n } = await query.select((eb) => eb.fn.countAll<string>().as('n')).executeTakeFirstOrThrow();
    return Number(n);
  }

  async #page(scope: ListScope, { limit, beforeId }: ExecutionPageRequest): Promise<ShownExecution[]> {
    const ids = newestIds({ ...scope, ...(beforeId !== undefined && { olderThan: beforeId }) }, limit);
    const rows = await selectShown(this.#db)
      .where('executions.id', '=', sql<ExecutionId>`any(array${ids})`)
      .orderBy('executions.id', 'desc')
      .execute();
    return rows.map(toShown);
  }

  /** Exact counts are always fresh. No request waits for an estimate while an old one exists. */
  async #count(scope: ListScope): Promise<ExecutionCount> {
    const key = JSON.stringify(scope);
    const estimate = this.#estimates.get(key);
    if (!estimate) return this.#recount(key, scope);
    if (performance.now() - estimate.madeAt >= renewMs) this.#renew(key, scope);
    return estimate.counted;
  }

  #renew(key: string, scope: ListScope): void {
    if (this.#renewing.has(key)) return;
    this.#renewing.add(key);
    const done = () => this.#renewing.delete(key);
    this.#recount(key, scope).then(done, done); // after a failure, the next request tries again
  }

  async #recount(key: string, scope: ListScope): Promise<ExecutionCount> {
    const madeAt = performance.now();
    const count = (await this.#surelyMany(scope)) ? exactCountLimit + 1 : await this.#countTo(exactCountLimit + 1, scope);
    if (count <= exactCountLimit) {
      this.#estimates.delete(key);
      return { count, estimated: false };
    }
    const counted = { count: Math.max(count, await this.#estimate(scope)), estimated: true };
    this.#estimates.set(key, { counted, madeAt });
    return counted;
  }

  /** True if there are certainly too many for an exact count; false if unknown. */
  async #surelyMany(scope: ListScope): Promise<boolean> {
    const inner = await findInnerScope(this.#db, scope, exactCountLimit);
    if (!inner) return false;
    const enough = exactCountLimit + 1 + inner.outliers;
    return inner.outliers < exactCountLimit && (await this.#countTo(enough, inner.scope)) === enough;
  }

  async #countTo(limit: number, scope: ListScope): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*)::int AS n FROM ${atMost(scope, limit)} AS counted`.execute(this.#db);
    return rows[0]?.n ?? 0;
  }

  /** The planner's estimate under the same filter, without a scan. */
  async #estimate(scope: ListScope): Promise<number> {
    const plan = await this.#db
      .selectFrom('executions')
      .select('executions.id')
      .where(matches(scope))
      .explain<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>('json');
    return plan[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
  }
}
