import type { ExecutionId, WorkflowId } from '@sluice/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import { type Access, anyOf } from '../access.ts';
import type { Tables } from '../tables/tables.ts';

/**
 * Whether an execution belongs to one of the projects, as a condition on a row of `executions`. Rows that have not followed their
 * workflow yet belong to none: the project they still name is not theirs any more.
 */
export function belongsTo(projectIds: Iterable<string>): RawBuilder<SqlBool> {
  const ids = [...projectIds];
  return sql<SqlBool>`(executions.project_id = ${anyOf(ids)} AND ${hasNotLeft(ids)})`;
}

/** Whether a row that names one of the projects is still theirs. */
function hasNotLeft(projectIds: readonly string[]): RawBuilder<SqlBool> {
  // An array that is made once, of nearly always no workflow: a join would lead the planner astray.
  return sql<SqlBool>`executions.workflow_id <> ALL (ARRAY(
    SELECT m.workflow_id FROM execution_moves m JOIN workflows w ON w.id = m.workflow_id
    WHERE NOT w.project_id = ${anyOf(projectIds)}))`;
}

/** The project of an execution's workflow: what decides who may see it. A column for statements on `executions`. */
export const owningProject = sql<string>`(SELECT w.project_id FROM workflows w WHERE w.id = executions.workflow_id)`;

/** Whether that project is one of `access`, as a condition on a row of `executions`: for few rows, since it asks for each. */
export function isOwnedBy({ projectIds }: Access): RawBuilder<SqlBool> {
  return projectIds === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`${owningProject} = ${anyOf(projectIds)}`;
}

/** Above every id there is. */
const maxId = '9223372036854775807';

/** Part of the transaction in which the workflow goes to another project. */
export async function planMove(tx: Transaction<Tables>, workflowId: WorkflowId): Promise<void> {
  const afresh = { before_id: null, last_pass: false, due_at: sql<Date>`now()` };
  await tx
    .insertInto('execution_moves')
    .values({ workflow_id: workflowId, ...afresh })
    .onConflict((conflict) => conflict.column('workflow_id').doUpdateSet(afresh))
    .execute();
}

/** Milliseconds after which a start that still saw the workflow in its old project has ended: several statement timeouts. */
const settleMs = 120_000;

interface Move {
  workflow_id: WorkflowId;
  before_id: ExecutionId | null;
  last_pass: boolean;
}

/**
 * Makes the executions of a workflow that went to another project follow it, however many there are: in batches, each a short
 * transaction, newest first. A second pass, later, is for those that were being started while the workflow moved. Any number of
 * processes may work at once; who dies leaves the rest to the others.
 */
export class ExecutionMoves {
  readonly #db: Kysely<Tables>;
  readonly #batch: number;

  /** `batch`: rows of one transaction. They stay locked for that long, so it is kept to some ten milliseconds. */
  constructor(db: Kysely<Tables>, { batch = 2_000 } = {}) {
    this.#db = db;
    this.#batch = batch;
  }

  /** Does one batch of a move that is due, of this workflow if one is named. Resolves to whether there was one. */
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

/** Locks rows in the order of their ids, as everybody does. */
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
      UPDATE executions SET project_id = (SELECT project_id FROM target) WHERE id IN (SELECT id FROM behind)
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
