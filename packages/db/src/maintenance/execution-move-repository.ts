import type { ExecutionId, WorkflowId } from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { isBlocked } from '../executions/row/limits-of.ts';
import { constantSql } from '../statements/compiled.ts';
import type { Tables } from '../tables/tables.ts';

/** Greater than every id. */
const maxId = '9223372036854775807';
/** No limit has this id. */
const noLimitId = 0;

/** Part of the transaction that moves the workflow to another project. */
export async function planMove(tx: Transaction<Tables>, workflowId: WorkflowId): Promise<void> {
  const restart = { before_id: null, last_pass: false, due_at: sql<Date>`now()` };
  await tx
    .insertInto('execution_moves')
    .values({ workflow_id: workflowId, ...restart })
    .onConflict((conflict) => conflict.column('workflow_id').doUpdateSet(restart))
    .execute();
}

/**
 * Milliseconds after which every start that read the workflow's old project has ended: several
 * statement timeouts.
 */
const settleMs = 120_000;

interface Move {
  workflow_id: WorkflowId;
  before_id: ExecutionId | null;
  last_pass: boolean;
}

/**
 * Moves the executions of a workflow to its new project, in batches, each a short transaction,
 * newest first. A second pass, later, covers executions that were being started while the workflow
 * moved. Processes may work concurrently; if one dies, the others continue.
 */
export class ExecutionMoveRepository {
  readonly #db: Kysely<Tables>;
  readonly #batch: number;

  /**
   * `batch`: rows per transaction. They stay locked until its end, so batches are sized to take
   * about ten milliseconds.
   */
  constructor(db: Kysely<Tables>, { batch = 2_000 } = {}) {
    this.#db = db;
    this.#batch = batch;
  }

  /** Runs one batch of a due move, of this workflow if given. Resolves to whether there was one. */
  async moveSome(workflowId?: WorkflowId): Promise<boolean> {
    return this.#db.transaction().execute(async (tx) => {
      const move = await takeMove(tx, workflowId);
      if (!move) return false;
      const { seen, last } = await moveBatch(tx, move, this.#batch);
      if (seen === this.#batch) await proceed(tx, move, last);
      else if (move.last_pass) await tx.deleteFrom('execution_moves').where('workflow_id', '=', move.workflow_id).execute();
      else await planLastPass(tx, move);
      return true;
    });
  }
}

async function takeMove(tx: Transaction<Tables>, workflowId: WorkflowId | undefined): Promise<Move | undefined> {
  let query = tx
    .selectFrom('execution_moves')
    .select(['workflow_id', 'before_id', 'last_pass'])
    .where('due_at', '<=', sql<Date>`now()`)
    .orderBy('due_at')
    .limit(1)
    .forUpdate()
    .skipLocked();
  if (workflowId !== undefined) query = query.where('workflow_id', '=', workflowId);
  return query.executeTakeFirst();
}

/**
 * Locks rows in the order of their ids, as everywhere. The limit that blocks an execution may not
 * apply in its new project, so workers decide again, as if the limit had been removed.
 */
async function moveBatch(
  tx: Transaction<Tables>,
  { workflow_id, before_id }: Move,
  limit: number,
): Promise<{ seen: number; last: ExecutionId | null }> {
  const { rows } = await sql<{ seen: number; last: ExecutionId | null }>`
    WITH target AS MATERIALIZED (
      SELECT project_id FROM workflows WHERE id = ${workflow_id}
    ), page AS (
      SELECT id, project_id FROM executions WHERE workflow_id = ${workflow_id} AND id < ${before_id ?? maxId}
      ORDER BY id DESC LIMIT ${limit}
    ), behind AS (
      SELECT id FROM executions WHERE id IN (SELECT id FROM page WHERE project_id <> (SELECT project_id FROM target))
      ORDER BY id FOR NO KEY UPDATE
    ), moved AS (
      UPDATE executions SET project_id = (SELECT project_id FROM target),
        limit_ids = CASE WHEN ${constantSql(isBlocked('executions'))} THEN ARRAY[${noLimitId}::integer] ELSE limit_ids END
      WHERE id IN (SELECT id FROM behind)
    )
    SELECT count(*)::int AS seen, min(id) AS last FROM page`.execute(tx);
  return rows[0] ?? { seen: 0, last: null };
}

async function proceed(tx: Transaction<Tables>, { workflow_id }: Move, beforeId: ExecutionId | null): Promise<void> {
  await tx.updateTable('execution_moves').set({ before_id: beforeId }).where('workflow_id', '=', workflow_id).execute();
}

async function planLastPass(tx: Transaction<Tables>, { workflow_id }: Move): Promise<void> {
  await tx
    .updateTable('execution_moves')
    .set({ last_pass: true, before_id: null, due_at: sql<Date>`now() + ${settleMs} * interval '1 millisecond'` })
    .where('workflow_id', '=', workflow_id)
    .execute();
}
