import { ConflictError, NotFoundError } from '@sluice/domain';
import { sql, type Transaction } from 'kysely';
import { anyOf } from '../access.ts';
import { isUniqueViolation } from '../connection/sql-errors.ts';
import { planMove } from '../maintenance/execution-move-repository.ts';
import { touched } from '../statements/touched.ts';
import type { Tables } from '../tables/tables.ts';
import { endTestUrls } from '../triggers/test-url-repository.ts';

/**
 * Protects projects from deletion until the transaction ends. Call it before locking anything that
 * is moved into them: that is the lock order of `emptyProject`.
 */
export async function lockProjects(tx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  await tx.selectFrom('projects').select('id').where('id', '=', anyOf(ids)).orderBy('id').forKeyShare().execute();
}

/**
 * Empties a project before its deletion: moves its workflows (their executions follow),
 * credentials, and data tables to `transferTo`; throws `ConflictError` if both projects have a data
 * table of the same name. Without a target, throws `ConflictError` `PROJECT_NOT_EMPTY` with counts
 * if the project is not empty. Credentials that other projects shared with it are no longer shared:
 * the shares are not transferred to the target.
 */
export async function emptyProject(tx: Transaction<Tables>, projectId: string, transferTo: string | undefined): Promise<void> {
  // Concurrent additions wait: they need a shared lock on these rows.
  const ids = transferTo === undefined ? [projectId] : [projectId, transferTo];
  const locked = await tx.selectFrom('projects').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute();
  if (transferTo === undefined) return assertEmpty(tx, projectId);
  if (transferTo === projectId) throw new ConflictError('a project cannot be transferred to itself');
  if (!locked.some(({ id }) => id === transferTo)) throw new NotFoundError(`project ${transferTo} does not exist`);
  const toDestination = { project_id: transferTo, updated_at: touched };
  const workflows = tx.updateTable('workflows').set(toDestination).where('project_id', '=', projectId);
  for (const { id } of await workflows.returning('id').execute()) {
    await planMove(tx, id);
    await endTestUrls(tx, id);
  }
  await tx.updateTable('credentials').set(toDestination).where('project_id', '=', projectId).execute();
  await moveDataTables(tx, projectId, toDestination);
  // The target does not need shares of credentials that it now owns.
  await sql`DELETE FROM credential_shares s USING credentials c
    WHERE s.credential_id = c.id AND s.project_id = c.project_id AND c.project_id = ${transferTo}`.execute(tx);
}

async function moveDataTables(
  tx: Transaction<Tables>,
  projectId: string,
  toDestination: { project_id: string; updated_at: typeof touched },
): Promise<void> {
  try {
    await tx.updateTable('data_tables').set(toDestination).where('project_id', '=', projectId).execute();
  } catch (error) {
    if (!isUniqueViolation(error, 'data_tables_name_key')) throw error;
    throw new ConflictError('both projects have a data table of the same name: rename one of them first');
  }
}

/** Content of a project → its name in errors. */
const contents = { workflows: 'workflows', credentials: 'credentials', data_tables: 'dataTables' } as const;

async function assertEmpty(tx: Transaction<Tables>, projectId: string): Promise<void> {
  const counts = await Promise.all(
    (Object.keys(contents) as (keyof typeof contents)[]).map(async (table) => {
      const counted = await tx
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow();
      return { path: contents[table], message: counted.count };
    }),
  );
  const nonEmpty = counts.filter(({ message }) => message !== '0');
  if (nonEmpty.length === 0) return;
  throw new ConflictError('the project is not empty: transfer or delete what it holds first', 'PROJECT_NOT_EMPTY', nonEmpty);
}
