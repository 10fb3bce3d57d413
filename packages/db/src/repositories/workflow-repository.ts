import {
  type ExecutionId,
  errorWorkflowOf,
  type JsonObject,
  liveStatuses,
  randomId,
  stringifyJson,
  TimeSlice,
  ValidationError,
  type WorkflowEvent,
  type WorkflowId,
} from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Access, anyOf } from '../access.ts';
import { cancelMatching } from '../executions/cancel-matching.ts';
import { planMove } from '../executions/execution-move-repository.ts';
import { encodeGraph } from '../executions/graph-repository.ts';
import { inTransaction } from '../in-transaction.ts';
import { lockWorkflow } from '../lock-workflow.ts';
import { parseStored } from '../long-json.ts';
import type { Tables } from '../tables/tables.ts';
import { replaceTags, workflowTags } from '../tag-links.ts';
import { touched } from '../touched.ts';
import {
  type AppliedRegistrations,
  confirmRegistrations,
  markRegistrationsUnwanted,
} from '../triggers/confirm-registrations.ts';
import { type NewTrigger, replaceTriggers } from '../triggers/trigger-repository.ts';
import { startForEvent } from '../triggers/workflow-events.ts';
import { type NewestFirst, newestFirst } from './newest-first.ts';
import { holdProjects } from './project-content.ts';
import { saveVersion } from './save-version.ts';
import { bytesBefore, checked, selectHead, selectWithGraph, selectWithGraphText } from './select-workflow.ts';
import type {
  ActivatedWorkflow,
  Activation,
  DeletedWorkflow,
  NewWorkflow,
  Workflow,
  WorkflowFilter,
  WorkflowHead,
  WorkflowPage,
  WorkflowRevision,
} from './workflow.ts';
import { WorkflowVersionRepository } from './workflow-version-repository.ts';

/** Executions deleted per batch before their workflow, whose history may have millions. */
const historyBatch = 2_000;
/** Timeout in milliseconds for deleting the workflow with the rest of its history. */
const deleteTimeoutMs = 600_000;

/** Path of an unknown error workflow in the issues of a `ValidationError`. */
export const errorWorkflowPath = '/settings/errorWorkflow';

/**
 * A page of a list ends after the workflow that exceeds this many bytes of JSON: it has to fit into
 * memory and into one string.
 */
const pageBytes = 32 * 1024 * 1024;

/** Workflows. Every read takes the caller's `Access`; writes take a row lock. */
export class WorkflowRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * Throws `ValidationError` if the id is or was in use in any project, and for tags that do not
   * exist.
   */
  async create(workflow: NewWorkflow): Promise<Workflow> {
    const id = workflow.id ?? randomId();
    const versionId = randomId();
    const graph = await encodeGraph(workflow.graph);
    const [staticData, meta] = [await jsonOrNull(workflow.staticData), await jsonOrNull(workflow.meta)];
    return inTransaction(this.#db, async (tx) => {
      const inserted = await tx
        .insertInto('workflows')
        .values({
          id,
          project_id: workflow.projectId,
          name: workflow.graph.name,
          version_id: versionId,
          static_data: staticData,
          meta,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!inserted) throw idTaken(`workflow with id ${id} exists already`);
      if (workflow.id !== undefined) await assertNeverUsed(tx, id);
      await assertErrorWorkflow(tx, errorWorkflowOf(workflow.graph.settings));
      await saveVersion(tx, { workflowId: id, versionId, graph, authorId: workflow.authorId });
      const { tags = [] } = workflow;
      if (tags.length > 0) await replaceTags(tx, workflowTags, { ownerId: id, tagIds: tags, path: '/tags' });
      return reread(tx, id);
    });
  }

  /** Throws `NotFoundError`, or `ForbiddenError` for one in a project outside `access`. */
  async get(id: WorkflowId, access: Access): Promise<Workflow> {
    return checked(id, access, await selectWithGraph(this.#db).where('w.id', '=', id).executeTakeFirst());
  }

  /** Like `get`, without the graph. */
  async getHead(id: WorkflowId, access: Access): Promise<WorkflowHead> {
    return checked(id, access, await selectHead(this.#db).where('w.id', '=', id).executeTakeFirst());
  }

  /**
   * The page ends early if it would exceed about `pageBytes` of JSON; it has at least one workflow.
   */
  async list(filter: WorkflowFilter, access: Access, page: NewestFirst): Promise<WorkflowPage> {
    let query = newestFirst(this.#db.selectFrom('workflows as w').select('w.id'), 'w', page);
    if (access.projectIds !== 'all') query = query.where('w.project_id', '=', anyOf(access.projectIds));
    if (filter.name !== undefined) query = query.where(isNamedLike(filter.name));
    if (filter.active !== undefined) query = query.where('w.active', '=', filter.active);
    if (filter.projectId !== undefined) query = query.where('w.project_id', '=', filter.projectId);
    if (filter.tagIds && filter.tagIds.length > 0) query = query.where(hasTags(filter.tagIds));
    const found = selectWithGraphText(this.#db)
      .select([bytesBefore.as('bytesBefore'), sql<string>`count(*) OVER ()`.as('found')])
      .where('w.id', '=', sql<string>`any(array(${query}))`);
    const rows = await this.#db
      .selectFrom(found.as('w'))
      .selectAll()
      .where('w.bytesBefore', '<', pageBytes)
      .orderBy('w.createdAt', 'desc')
      .orderBy('w.id', 'desc')
      .execute();
    const slice = new TimeSlice();
    const workflows: Workflow[] = [];
    for (const { bytesBefore: _bytes, found: _found, graph, ...head } of rows) {
      workflows.push({ ...head, graph: await parseStored(graph) } as Workflow);
      if (slice.isOver) await slice.next();
    }
    return { workflows, cut: rows.length < Number(rows[0]?.found ?? 0) };
  }

  /**
   * Saves what `revise` returns for the current content, which it gets locked; it throws to refuse.
   * Unchanged content creates no version. Throws the errors of `get`, and `ValidationError` for
   * tags that do not exist.
   */
  async update(
    id: WorkflowId,
    access: Access,
    authorId: string,
    revise: (current: Workflow) => WorkflowRevision,
  ): Promise<Workflow> {
    return inTransaction(this.#db, async (tx) => {
      await lockWorkflow(tx, id);
      const current = checked(id, access, await selectWithGraph(tx).where('w.id', '=', id).executeTakeFirst());
      const { graph, staticData, tags } = revise(current);
      const versionId = randomId();
      const encoded = await encodeGraph(graph);
      const isNew = encoded.hash !== current.graphHash;
      const errorWorkflow = errorWorkflowOf(graph.settings);
      if (errorWorkflow !== errorWorkflowOf(current.graph.settings)) await assertErrorWorkflow(tx, errorWorkflow);
      if (isNew) await saveVersion(tx, { workflowId: id, versionId, graph: encoded, authorId });
      if (tags && !sameTags(tags, current.tags))
        await replaceTags(tx, workflowTags, { ownerId: id, tagIds: tags, path: '/tags' });
      await tx
        .updateTable('workflows')
        .set({
          name: graph.name,
          version_id: isNew ? versionId : current.versionId,
          static_data: await jsonOrNull(staticData),
          updated_at: touched,
        })
        .where('id', '=', id)
        .execute();
      return reread(tx, id);
    });
  }

  /**
   * Makes a version (default: the newest) the active one and labels it; `triggers` are its
   * triggers, `registered` its registrations at remote services. Unchanged triggers keep their
   * state. Executions that start on activation, by triggers of the kind `workflow`, are inserted
   * with it. Throws the errors of `get` for the workflow and the version, and those of
   * `confirmRegistrations`.
   */
  async activate(
    id: WorkflowId,
    access: Access,
    { versionId, name, description }: Activation,
    triggers: readonly NewTrigger[] = [],
    registered: AppliedRegistrations = { registrations: [], ended: [], heldBy: '' },
  ): Promise<ActivatedWorkflow> {
    return inTransaction(this.#db, async (tx) => {
      await lockWorkflow(tx, id);
      const current = checked(id, access, await selectHead(tx).where('w.id', '=', id).executeTakeFirst());
      const versions = new WorkflowVersionRepository(tx);
      const { id: version } = await versions.getHead(id, versionId ?? current.versionId, access);
      await versions.label(version, { name, description });
      await tx
        .updateTable('workflows')
        .set({ active: true, active_version_id: version, updated_at: touched })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('active', '=', false), eb('active_version_id', 'is distinct from', version)]))
        .execute();
      await replaceTriggers(tx, id, triggers);
      await confirmRegistrations(tx, id, registered);
      const started = await startForEvent(tx, id, eventOf(current, version));
      return { ...(await reread(tx, id)), started };
    });
  }

  /** Removes all triggers. Throws the errors of `get`. */
  async deactivate(id: WorkflowId, access: Access): Promise<Workflow> {
    return inTransaction(this.#db, async (tx) => {
      await lockWorkflow(tx, id);
      checked(id, access, await selectHead(tx).where('w.id', '=', id).executeTakeFirst());
      await tx
        .updateTable('workflows')
        .set({ active: false, active_version_id: null, updated_at: touched })
        .where('id', '=', id)
        .where('active', '=', true)
        .execute();
      await replaceTriggers(tx, id, []);
      await markRegistrationsUnwanted(tx, id);
      return reread(tx, id);
    });
  }

  /**
   * Moves the workflow to another project. Its executions belong to that project at once;
   * `ExecutionMoveRepository` updates their rows later. `along`: work for the same transaction; it gets the
   * workflow in its old state. Throws the errors of `get`.
   */
  async transfer(
    id: WorkflowId,
    access: Access,
    projectId: string,
    along: (tx: Transaction<Tables>, workflow: Workflow) => Promise<void>,
  ): Promise<Workflow> {
    return inTransaction(this.#db, async (tx) => {
      await holdProjects(tx, [projectId]);
      await lockWorkflow(tx, id);
      const current = checked(id, access, await selectWithGraph(tx).where('w.id', '=', id).executeTakeFirst());
      await along(tx, current);
      if (current.projectId === projectId) return current;
      await tx.updateTable('workflows').set({ project_id: projectId, updated_at: touched }).where('id', '=', id).execute();
      await planMove(tx, id);
      return reread(tx, id);
    });
  }

  /**
   * Deletes the history; then, in one transaction, cancels unfinished executions and deletes the
   * workflow with its versions and remaining executions. The history is deleted first, in batches,
   * while the workflow can still be called: otherwise its row would be locked for minutes. An
   * interrupted deletion may be repeated.
   */
  async delete(id: WorkflowId, access: Access): Promise<DeletedWorkflow> {
    await this.#deleteHistory(id, access);
    return inTransaction(this.#db, async (tx) => {
      await sql`SELECT set_config('statement_timeout', ${String(deleteTimeoutMs)}, true)`.execute(tx);
      await lockWorkflow(tx, id);
      const { name } = checked(id, access, await selectHead(tx).where('w.id', '=', id).executeTakeFirst());
      // Before the executions: moves lock in this order.
      await tx.deleteFrom('execution_moves').where('workflow_id', '=', id).execute();
      const { ids, called } = await cancelMatching(tx, (live) => live.where('workflow_id', '=', id));
      // One scan for all of them. The cascade would find them too, but with one search per graph
      // that ever existed.
      await tx.deleteFrom('executions').where('workflow_id', '=', id).execute();
      await tx.deleteFrom('workflows').where('id', '=', id).execute();
      return { id, name, canceled: [...ids, ...called] };
    });
  }

  /**
   * Deletes ended executions, oldest first, and skips locked ones. Throws once the caller may no
   * longer delete the workflow.
   */
  async #deleteHistory(id: WorkflowId, access: Access): Promise<void> {
    for (let afterId = '0', isFull = true; isFull; ) {
      checked(id, access, await selectHead(this.#db).where('w.id', '=', id).executeTakeFirst());
      const { rows } = await sql<{ lastId: ExecutionId | null; count: number }>`WITH deleted AS (
          DELETE FROM executions WHERE id IN (SELECT id FROM executions
            WHERE workflow_id = ${id} AND id > ${afterId} AND NOT status = ${anyOf(liveStatuses)}
            ORDER BY id LIMIT ${historyBatch} FOR UPDATE SKIP LOCKED) RETURNING id)
        SELECT max(id) AS "lastId", count(*)::int AS count FROM deleted`.execute(this.#db);
      const [{ lastId, count } = { lastId: null, count: 0 }] = rows;
      isFull = count === historyBatch;
      afterId = lastId ?? afterId;
    }
  }
}

/** Runs after the insert, which waits for a deletion in progress. */
async function assertNeverUsed(tx: Transaction<Tables>, id: WorkflowId): Promise<void> {
  const deleted = await tx.selectFrom('deleted_workflows').select('id').where('id', '=', id).executeTakeFirst();
  if (deleted) throw idTaken(`workflow with id ${id} has been deleted, and its id cannot be used again`);
}

/**
 * A workflow may name itself. Whether the named workflow accepts the call is checked at each
 * failure.
 */
async function assertErrorWorkflow(tx: Transaction<Tables>, id: WorkflowId | undefined): Promise<void> {
  if (id === undefined) return;
  const found = await tx.selectFrom('workflows').select('id').where('id', '=', id).executeTakeFirst();
  if (found) return;
  throw new ValidationError('the workflow is not valid', [{ path: errorWorkflowPath, message: 'no workflow has this id' }]);
}

function idTaken(message: string): ValidationError {
  return new ValidationError(message, [{ path: '/id', message: 'is taken: leave it out to get a new one' }]);
}

/** The event that activating this version causes; `undefined`: the version is already active. */
function eventOf({ active, activeVersionId }: WorkflowHead, version: string): WorkflowEvent | undefined {
  if (!active) return 'activate';
  return activeVersionId === version ? undefined : 'update';
}

async function reread(tx: Transaction<Tables>, id: WorkflowId): Promise<Workflow> {
  return (await selectWithGraph(tx).where('w.id', '=', id).executeTakeFirstOrThrow()) as Workflow;
}

/**
 * The second condition makes use of an index on names; it excludes nothing for fewer than three
 * characters.
 */
function isNamedLike(part: string) {
  const like = sql<boolean>`w.name ILIKE ${`%${escapeLike(part)}%`}`;
  return [...part].length < 3 ? like : sql<boolean>`(${like} AND name_grams(w.name) @> name_grams(${part}))`;
}

/**
 * Finds the workflows that have all of the tags first, then reads these one by one: the cost grows
 * with them alone.
 */
function hasTags(tagIds: readonly string[]) {
  return sql<boolean>`w.id = ANY (ARRAY(SELECT t.workflow_id FROM workflow_tags t WHERE t.tag_id = ${anyOf(tagIds)}
    GROUP BY t.workflow_id HAVING count(*) = ${tagIds.length}))`;
}

function sameTags(given: readonly string[], current: readonly string[]): boolean {
  return given.length === current.length && given.every((id, i) => id === current[i]);
}

async function jsonOrNull(value: JsonObject | null): Promise<string | null> {
  return value === null ? null : stringifyJson(value);
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
