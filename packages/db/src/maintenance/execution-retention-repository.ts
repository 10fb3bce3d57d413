import type { ExecutionId, ExecutionStatus } from '@sluice/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

type EndStatus = Extract<ExecutionStatus, 'success' | 'error' | 'canceled' | 'crashed'>;

export interface RetentionRules {
  /**
   * Days for which ended executions are kept, by status; 0: no limit, neither by age nor by count.
   */
  days: Readonly<Record<EndStatus, number>>;
  /** Number of newest executions kept per project; 0: all. */
  maxPerProject: number;
}

/** A range of executions by id, some of which are due for deletion. */
export interface RetentionRange {
  /** Condition on `executions e`, covered by one index that ends with the id. */
  where: RawBuilder<unknown>;
  /** Executions with this id or a greater one are kept. */
  beforeId: ExecutionId;
}

/** The lock under which batches are deleted, one at a time in the whole installation. */
const lockKey = 7_204_881;

/**
 * Deletes ended executions by age and by count, in batches along an index. All data of an execution
 * is deleted with its row; the bytes of its files follow through `binary_leftovers`. Annotated
 * executions are kept, and so are those whose parent has not ended or whose error workflow has not
 * started. Processes may work concurrently: one batch is deleted at a time.
 */
export class ExecutionRetentionRepository {
  readonly #db: Kysely<Tables>;
  readonly #rules: RetentionRules;
  readonly #batch: number;

  /** `batch`: rows per transaction. */
  constructor(db: Kysely<Tables>, rules: RetentionRules, { batch = 200 } = {}) {
    this.#db = db;
    this.#rules = rules;
    this.#batch = batch;
  }

  /** Ranges by age, one for each status. Executions start in id order, and end later. */
  async listAged(): Promise<RetentionRange[]> {
    const ranges = Object.entries(this.#rules.days).map(async ([status, days]) => {
      if (days === 0) return [];
      const since = sql`now() - make_interval(secs => ${days * 86_400})`;
      const { rows } = await sql<{ id: ExecutionId }>`SELECT first_execution_since(${since}) AS id`.execute(this.#db);
      return rows.map(({ id }) => ({ where: sql`e.status = ${status} AND e.stopped_at < ${since}`, beforeId: id }));
    });
    return (await Promise.all(ranges)).flat();
  }

  /**
   * Ranges by count, one for each project above its limit. Reads one index entry per execution that
   * is kept.
   */
  async listExcess(): Promise<RetentionRange[]> {
    const { maxPerProject, days } = this.#rules;
    const statuses = Object.entries(days).flatMap(([status, keptDays]) => (keptDays > 0 ? [status] : []));
    if (maxPerProject === 0 || statuses.length === 0) return [];
    const { rows } = await sql<{ project_id: string; id: ExecutionId }>`
      SELECT p.id AS project_id, oldest.id FROM projects p, LATERAL (
        SELECT id FROM executions WHERE project_id = p.id ORDER BY id DESC OFFSET ${maxPerProject - 1} LIMIT 1) AS oldest`.execute(
      this.#db,
    );
    return rows.map(({ project_id, id }) => ({
      where: sql`e.project_id = ${project_id} AND e.status = ANY (${statuses}::text[])`,
      beforeId: id,
    }));
  }

  /**
   * Deletes one batch of a range, after the id `afterId`. Resolves to the id after which the next
   * batch starts; `undefined`: the range is finished, or another process is at work.
   */
  async deleteSome({ where, beforeId }: RetentionRange, afterId: ExecutionId | '0'): Promise<ExecutionId | undefined> {
    return this.#db.transaction().execute(async (tx) => {
      const { rows: locks } = await sql<{ free: boolean }>`SELECT pg_try_advisory_xact_lock(${lockKey}) AS free`.execute(tx);
      if (!locks[0]?.free) return undefined;
      const { rows } = await sql<{ last: ExecutionId | null; count: number }>`
        WITH due AS MATERIALIZED (
          SELECT e.id FROM executions e WHERE ${where} AND e.id > ${afterId}::bigint AND e.id < ${beforeId}::bigint
            AND NOT EXISTS (SELECT FROM execution_annotations a WHERE a.execution_id = e.id)
            AND NOT EXISTS (SELECT FROM error_starts s WHERE s.execution_id = e.id)
            AND NOT EXISTS (SELECT FROM executions p WHERE p.id = e.parent_execution_id AND p.status IN ('new', 'running', 'waiting'))
          ORDER BY e.id LIMIT ${this.#batch} FOR UPDATE OF e SKIP LOCKED
        ), gone AS (DELETE FROM executions WHERE id IN (SELECT id FROM due))
        SELECT max(id) AS last, count(*)::int AS count FROM due`.execute(tx);
      const [batch] = rows;
      return batch?.count === this.#batch && batch.last !== null ? batch.last : undefined;
    });
  }
}
