import {
  type ExecutionId,
  errorWorkflowOf,
  type JsonObject,
  liveStatuses,
  randomId,
  ValidationError,
  type WorkflowEvent,
  type WorkflowId,
} from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Access, anyOf } from '../access.ts';
import { cancelMatching } from '../executions/cancel-matching.ts';
import { planMove } from '../executions/execution-moves.ts';
import { encodeGraph } from '../executions/graph-repository.ts';
import { inTransaction } from '../in-transaction.ts';
import { lockWorkflow } from '../lock-workflow.ts';
import type { Tables } from '../tables/tables.ts';
import { replaceTags, workflowTags } from '../tag-links.ts';
import { touched } from '../touched.ts';
import { type BroughtAbout, confirmRegistrations, forsakeRegistrations } from '../triggers/confirm-registrations.ts';
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

/** Executions that are deleted at once ahead of their workflow, whose history may be of millions. */
const historyBatch = 2_000;
/** What is left of a history then is deleted with the workflow, and may take this many milliseconds. */
const deleteTimeoutMs = 600_000;

/** Where an unknown error workflow is named, in the issues of a `ValidationError`. */
export const errorWorkflowPath = '/settings/errorWorkflow';

/** A page of a list ends behind the workflow that passes this many bytes of JSON: it has to fit into memory, and into one string. */
const pageBytes = 32 * 1024 * 1024;

/** Workflows. Every read carries the caller's `Access`; writes go through a row lock. */
export class WorkflowRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Throws `ValidationError` if any project uses the id, or has used it, and for tags that do not exist. */
  async create(workflow: NewWorkflow): Promise<Workflow> {
    const id = workflow.id ?? randomId();
    const versionId = randomId();
    return inTransaction(this.#db, async (tx) => {
      const inserted = await tx
        .insertInto('workflows')
        .values({
          id,
          project_id: workflow.projectId,
          name: workflow.graph.name,
          version_id: versionId,
          static_data: jsonOrNull(workflow.staticData),
          meta: jsonOrNull(workflow.meta),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!inserted) throw idTaken(`workflow with id ${id} exists already`);
      if (workflow.id !== undefined) await assertNeverUsed(tx, id);
      await assertErrorWorkflow(tx, errorWorkflowOf(workflow.graph.settings));
      await saveVersion(tx, { workflowId: id, versionId, graph: workflow.graph, authorId: workflow.authorId });
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

  /** The page ends early where it would hold more than some `pageBytes` of JSON; it has one workflow at least. */
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
    const workflows = rows.map(
      ({ bytesBefore: _bytes, found: _found, graph, ...head }) => ({ ...head, graph: JSON.parse(graph) }) as Workflow,
    );
    return { workflows, cut: rows.length < Number(rows[0]?.found ?? 0) };
  }

  /**
   * Saves what `revise` makes of the current content, which it sees locked; it throws to refuse. Content that did not change
   * makes no version. Throws what `get` throws, and `ValidationError` for tags that do not exist.
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
      const isNew = encodeGraph(graph).hash !== current.graphHash;
      const errorWorkflow = errorWorkflowOf(graph.settings);
      if (errorWorkflow !== errorWorkflowOf(current.graph.settings)) await assertErrorWorkflow(tx, errorWorkflow);
      if (isNew) await saveVersion(tx, { workflowId: id, versionId, graph, authorId });
      if (tags && !sameTags(tags, current.tags))
        await replaceTags(tx, workflowTags, { ownerId: id, tagIds: tags, path: '/tags' });
      await tx
        .updateTable('workflows')
        .set({
          name: graph.name,
          version_id: isNew ? versionId : current.versionId,
          static_data: jsonOrNull(staticData),
          updated_at: touched,
        })
        .where('id', '=', id)
        .execute();
      return reread(tx, id);
    });
  }

  /**
   * Makes a version, the newest if none is named, the one that triggers run, and labels it; `triggers` are what it listens to, `registered` what it has
   * at remote services. What is so already stays untouched. What it starts itself, by triggers of the kind `workflow`, is inserted with it. Throws what `get` throws, for the workflow and for the version, and what
   * `confirmRegistrations` throws.
   */
  async activate(
    id: WorkflowId,
    access: Access,
    { versionId, name, description }: Activation,
    triggers: readonly NewTrigger[] = [],
    registered: BroughtAbout = { registrations: [], ended: [], heldBy: '' },
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

  /** Nothing triggers it any more. Throws what `get` throws. */
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
      await forsakeRegistrations(tx, id);
      return reread(tx, id);
    });
  }

  /**
   * Puts the workflow into another project, at once. Its executions are the other project's from then on; `ExecutionMoves` makes
   * their rows follow. `along`: what has to happen in the same transaction; it sees the workflow as it was. Throws what `get` throws.
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
   * Deletes the history, and then, in one transaction, cancels what has not ended and deletes the workflow with its versions and what is left of its executions.
   * The history goes ahead in batches, while the workflow can be called still: its row would be locked for minutes otherwise. Who is interrupted there may
   * ask again.
   */
  async delete(id: WorkflowId, access: Access): Promise<DeletedWorkflow> {
    await this.#deleteHistory(id, access);
    return inTransaction(this.#db, async (tx) => {
      await sql`SELECT set_config('statement_timeout', ${String(deleteTimeoutMs)}, true)`.execute(tx);
      await lockWorkflow(tx, id);
      const { name } = checked(id, access, await selectHead(tx).where('w.id', '=', id).executeTakeFirst());
      // Before the executions: whoever moves them locks in this order.
      await tx.deleteFrom('execution_moves').where('workflow_id', '=', id).execute();
      const { ids, called } = await cancelMatching(tx, (live) => live.where('workflow_id', '=', id));
      // All of them in one scan. The cascade, which would find them too, looks once for each graph there ever was.
      await tx.deleteFrom('executions').where('workflow_id', '=', id).execute();
      await tx.deleteFrom('workflows').where('id', '=', id).execute();
      return { id, name, canceled: [...ids, ...called] };
    });
  }

  /** What has ended, from the oldest to the newest; what somebody else holds is left. Ends with an error once the workflow is not the caller's to delete any more. */
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

/** After the insert, which waits for a deletion that is in progress. */
async function assertNeverUsed(tx: Transaction<Tables>, id: WorkflowId): Promise<void> {
  const deleted = await tx.selectFrom('deleted_workflows').select('id').where('id', '=', id).executeTakeFirst();
  if (deleted) throw idTaken(`workflow with id ${id} has been deleted, and its id cannot be used again`);
}

/** A workflow may name itself. Whether the named one lets itself be called is decided at each failure. */
async function assertErrorWorkflow(tx: Transaction<Tables>, id: WorkflowId | undefined): Promise<void> {
  if (id === undefined) return;
  const found = await tx.selectFrom('workflows').select('id').where('id', '=', id).executeTakeFirst();
  if (found) return;
  throw new ValidationError('the workflow is not valid', [{ path: errorWorkflowPath, message: 'no workflow has this id' }]);
}

function idTaken(message: string): ValidationError {
  return new ValidationError(message, [{ path: '/id', message: 'is taken: leave it out to get a new one' }]);
}

/** What becoming active in this version is to the workflow; `undefined`: nothing new. */
function eventOf({ active, activeVersionId }: WorkflowHead, version: string): WorkflowEvent | undefined {
  if (!active) return 'activate';
  return activeVersionId === version ? undefined : 'update';
}

async function reread(tx: Transaction<Tables>, id: WorkflowId): Promise<Workflow> {
  return (await selectWithGraph(tx).where('w.id', '=', id).executeTakeFirstOrThrow()) as Workflow;
}

/** The second half is what an index finds names by; it says nothing about fewer than three characters. */
function isNamedLike(part: string) {
  const like = sql<boolean>`w.name ILIKE ${`%${escapeLike(part)}%`}`;
  return [...part].length < 3 ? like : sql<boolean>`(${like} AND name_grams(w.name) @> name_grams(${part}))`;
}

/** The workflows that have all of the tags first, and then these one by one: what it reads grows with them alone. */
function hasTags(tagIds: readonly string[]) {
  return sql<boolean>`w.id = ANY (ARRAY(SELECT t.workflow_id FROM workflow_tags t WHERE t.tag_id = ${anyOf(tagIds)}
    GROUP BY t.workflow_id HAVING count(*) = ${tagIds.length}))`;
}

function sameTags(given: readonly string[], current: readonly string[]): boolean {
  return given.length === current.length && given.every((id, i) => id === current[i]);
}

function jsonOrNull(value: JsonObject | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
