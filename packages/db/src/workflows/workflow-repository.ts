import { isDeepStrictEqual } from 'node:util';
import {
  concurrencyOf,
  errorWorkflowOf,
  type JsonObject,
  randomId,
  stringifyJson,
  ValidationError,
  type WorkflowEvent,
  type WorkflowId,
} from '@sluice/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Access } from '../access.ts';
import { encodeGraph, unlimitedQuota, type WorkflowQuota } from '../executions/graphs/graph-repository.ts';
import { putWorkflowLimit } from '../limits/put-limit.ts';
import { recountLimited } from '../limits/recount-limited.ts';
import { lockWorkflow } from '../lock-workflow.ts';
import { planMove } from '../maintenance/execution-move-repository.ts';
import type { NewestFirst } from '../newest-first.ts';
import { lockProjects } from '../projects/project-content.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import { touched } from '../statements/touched.ts';
import type { Tables } from '../tables/tables.ts';
import { replaceTags, workflowTags } from '../tag-links.ts';
import {
  type AppliedRegistrations,
  confirmRegistrations,
  markRegistrationsUnwanted,
} from '../triggers/confirm-registrations.ts';
import { endTestUrls } from '../triggers/test-url-repository.ts';
import { type NewTrigger, replaceTriggers } from '../triggers/trigger-repository.ts';
import { startForEvent } from '../triggers/workflow-events.ts';
import { deleteWorkflow } from './delete-workflow.ts';
import { listWorkflowSummaries, listWorkflows } from './list-workflows.ts';
import { saveVersion } from './save-version.ts';
import { checked, selectHead, selectWithGraph } from './select-workflow.ts';
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
  WorkflowSummary,
} from './workflow.ts';
import { WorkflowVersionRepository } from './workflow-version-repository.ts';

/** Path of an unknown error workflow in the issues of a `ValidationError`. */
export const errorWorkflowPath = '/settings/errorWorkflow';

/** Workflows. Every read takes the caller's `Access`; writes take a row lock. */
export class WorkflowRepository {
  readonly #db: Kysely<Tables>;
  readonly #quota: WorkflowQuota;

  /**
   * @param quota limits what `create`, `update`, and `transfer` add to a project; default: no
   * limit.
   */
  constructor(db: Kysely<Tables>, quota: WorkflowQuota = unlimitedQuota) {
    this.#db = db;
    this.#quota = quota;
  }

  /**
   * Throws `ValidationError` if the id is or was in use in any project, and for tags that do not
   * exist; `StorageQuotaError` if the project has reached its quota.
   * @param visible projects of workflows that may be named as the error workflow. Other workflows
   * count as unknown: `ValidationError`.
   */
  async create(workflow: NewWorkflow, visible: Access): Promise<Workflow> {
    this.#quota.assertCapacity(workflow.projectId);
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
      await assertErrorWorkflow(tx, errorWorkflowOf(workflow.graph.settings), visible);
      await saveVersion(tx, { workflowId: id, versionId, graph, authorId: workflow.authorId });
      await putWorkflowLimit(tx, id, workflow.graph.settings);
      const { tags = [] } = workflow;
      if (tags.length > 0) await replaceTags(tx, workflowTags, { ownerId: id, tagIds: tags, path: '/tags' });
      return reread(tx, id);
    });
  }

  /** Throws `NotFoundError`, or `ForbiddenError` for a workflow in a project outside `access`. */
  async get(id: WorkflowId, access: Access): Promise<Workflow> {
    return checked(id, access, await selectWithGraph(this.#db).where('w.id', '=', id).executeTakeFirst());
  }

  /** Like `get`, without the graph. */
  async getHead(id: WorkflowId, access: Access): Promise<WorkflowHead> {
    return checked(id, access, await selectHead(this.#db).where('w.id', '=', id).executeTakeFirst());
  }

  /**
   * The page ends early before it exceeds about 32 MiB of JSON; it has at least one workflow.
   */
  list(filter: WorkflowFilter, access: Access, page: NewestFirst): Promise<WorkflowPage> {
    return listWorkflows(this.#db, filter, access, page);
  }

  /** Like `list`, without reading the graphs, so that pages are always full. */
  listSummaries(filter: WorkflowFilter, access: Access, page: NewestFirst): Promise<WorkflowSummary[]> {
    return listWorkflowSummaries(this.#db, filter, access, page);
  }

  /**
   * Saves the result of `revise`, which receives the current, locked content and throws to refuse.
   * Unchanged content creates no version. Throws the errors of `get`, `ValidationError` for tags
   * and an error workflow that do not exist, and `StorageQuotaError` for new content of a project
   * that has reached its quota.
   * @param visible as in `create`; checked only if the error workflow changes.
   */
  async update(
    id: WorkflowId,
    access: Access,
    authorId: string,
    visible: Access,
    revise: (current: Workflow) => WorkflowRevision,
  ): Promise<Workflow> {
    let isLimitNew = false;
    const updated = await inTransaction(this.#db, async (tx) => {
      await lockWorkflow(tx, id);
      const current = checked(id, access, await selectWithGraph(tx).where('w.id', '=', id).executeTakeFirst());
      const { graph, staticData, tags } = revise(current);
      const versionId = randomId();
      const encoded = await encodeGraph(graph);
      const isNew = encoded.hash !== current.graphHash;
      if (this.#quota.isFull(current.projectId) && (isNew || !isDeepStrictEqual(staticData, current.staticData)))
        this.#quota.assertCapacity(current.projectId);
      const errorWorkflow = errorWorkflowOf(graph.settings);
      if (errorWorkflow !== errorWorkflowOf(current.graph.settings)) await assertErrorWorkflow(tx, errorWorkflow, visible);
      if (isNew) await saveVersion(tx, { workflowId: id, versionId, graph: encoded, authorId });
      isLimitNew = !isDeepStrictEqual(concurrencyOf(graph.settings), concurrencyOf(current.graph.settings));
      if (isLimitNew) await putWorkflowLimit(tx, id, graph.settings);
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
    if (isLimitNew) await recountLimited(this.#db);
    return updated;
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
   * Moves the workflow to another project. Its executions immediately belong to that project;
   * `ExecutionMoveRepository` updates their rows later. `along`: work for the same transaction; it
   * receives the workflow in its old state. Throws the errors of `get`, and `StorageQuotaError` if
   * the other project has reached its quota.
   */
  async transfer(
    id: WorkflowId,
    access: Access,
    projectId: string,
    along: (tx: Transaction<Tables>, workflow: Workflow) => Promise<void>,
  ): Promise<Workflow> {
    return inTransaction(this.#db, async (tx) => {
      await lockProjects(tx, [projectId]);
      await lockWorkflow(tx, id);
      const current = checked(id, access, await selectWithGraph(tx).where('w.id', '=', id).executeTakeFirst());
      if (current.projectId !== projectId) this.#quota.assertCapacity(projectId);
      await along(tx, current);
      if (current.projectId === projectId) return current;
      await tx.updateTable('workflows').set({ project_id: projectId, updated_at: touched }).where('id', '=', id).execute();
      await planMove(tx, id);
      await endTestUrls(tx, id);
      return reread(tx, id);
    });
  }

  /**
   * Deletes the history; then, in one transaction, cancels unfinished executions and deletes the
   * workflow with its versions and remaining executions. The history is deleted first, in batches,
   * while the workflow can still be called: otherwise its row would be locked for minutes. An
   * interrupted deletion may be repeated.
   *
   * @param check throws to refuse; called before each batch and with the locked workflow.
   */
  delete(id: WorkflowId, access: Access, check: (workflow: WorkflowHead) => void = () => undefined): Promise<DeletedWorkflow> {
    return deleteWorkflow(this.#db, id, access, check);
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
async function assertErrorWorkflow(tx: Transaction<Tables>, id: WorkflowId | undefined, visible: Access): Promise<void> {
  if (id === undefined) return;
  const workflow = await tx.selectFrom('workflows').select('project_id').where('id', '=', id).executeTakeFirst();
  if (workflow && visible.includes(workflow.project_id)) return;
  throw new ValidationError('the workflow is not valid', [{ path: errorWorkflowPath, message: 'no workflow has this ID' }]);
}

function idTaken(message: string): ValidationError {
  return new ValidationError(message, [{ path: '/id', message: 'is already in use: omit it to get a generated ID' }]);
}

/** The event that activating this version causes; `undefined`: the version is already active. */
function eventOf({ active, activeVersionId }: WorkflowHead, version: string): WorkflowEvent | undefined {
  if (!active) return 'activate';
  return activeVersionId === version ? undefined : 'update';
}

async function reread(tx: Transaction<Tables>, id: WorkflowId): Promise<Workflow> {
  return (await selectWithGraph(tx).where('w.id', '=', id).executeTakeFirstOrThrow()) as Workflow;
}

function sameTags(requested: readonly string[], current: readonly string[]): boolean {
  return requested.length === current.length && requested.every((id, i) => id === current[i]);
}

async function jsonOrNull(value: JsonObject | null): Promise<string | null> {
  return value === null ? null : stringifyJson(value);
}
