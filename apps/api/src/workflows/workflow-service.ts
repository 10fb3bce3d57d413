import {
  type CreateWorkflowBody,
  checkGraph,
  type ListWorkflowsQuery,
  type UpdateWorkflowBody,
  type WorkflowPage,
  type WorkflowWarning,
} from '@sluice/contract';
import type {
  Access,
  Activation,
  ActiveTrigger,
  NewTrigger,
  ProjectRepository,
  RegistrationRepository,
  ShownRegistration,
  SnapshotCache,
  TagRepository,
  TriggerRepository,
  Workflow,
  WorkflowFilter,
  WorkflowHead,
  WorkflowRepository,
  WorkflowSummary,
  WorkflowVersionRepository,
} from '@sluice/db';
import { invalidRequest, ValidationError, type WorkflowGraph, type WorkflowId } from '@sluice/domain';
import type { Caller } from '../auth/caller.ts';
import type { ExecutionEnqueuer } from '../executions/execution-enqueuer.ts';
import type { ExecutionSignals } from '../executions/execution-signals.ts';
import { toGraph } from '../graphs/to-graph.ts';
import { assertMatches } from '../http/headers/etag.ts';
import type { Registrar } from '../node-invocation/registrar.ts';
import { type Lists, sharedKey } from '../paging/lists.ts';
import { type Page, pageByCreation } from '../paging/page.ts';
import type { TriggerPlanner } from '../triggers/trigger-planner.ts';
import type { WorkflowAdvisor } from './workflow-advisor.ts';
import { toWorkflowView } from './workflow-view.ts';

interface WorkflowServiceOptions {
  lists: Lists;
  pages: SnapshotCache<ReadWorkflowPage>;
  workflows: WorkflowRepository;
  projects: ProjectRepository;
  tags: TagRepository;
  workflowVersions: WorkflowVersionRepository;
  triggers: TriggerRepository;
  planner: TriggerPlanner;
  registrar: Registrar;
  registrations: Pick<RegistrationRepository, 'list'>;
  advisor: WorkflowAdvisor;
  enqueuer: ExecutionEnqueuer;
  signals: ExecutionSignals;
  maxNodes: number;
  /** Public URL of the API; null: unknown. */
  publicUrl: string | null;
}

export interface ReadWorkflowPage {
  view: WorkflowPage;
  /** Bytes of JSON of its workflows in the database. */
  bytes: number;
}

/** Whether a page is short enough to be kept for other requests, and to be serialized at once. */
export function isShortPage({ bytes }: ReadWorkflowPage): boolean {
  return bytes <= 512 * 1024;
}

export interface ActivatedWorkflow {
  workflow: Workflow;
  triggers: readonly Pick<NewTrigger, 'nodeName' | 'spec'>[];
  warnings: WorkflowWarning[];
}

const noTrigger: WorkflowWarning = {
  code: 'NO_TRIGGER',
  message: 'the workflow is active, but it has no node that starts executions',
};

export class WorkflowService {
  readonly #options: WorkflowServiceOptions;

  constructor(options: WorkflowServiceOptions) {
    this.#options = options;
  }

  async create(body: CreateWorkflowBody, caller: Caller): Promise<Workflow> {
    const { workflows, projects } = this.#options;
    const { id, projectId = caller.personalProjectId, staticData = null, meta = null, tags } = body;
    const graph = this.#checked(toGraph(body));
    await projects.get(projectId, caller.access['project:editor']);
    const workflow = { id, projectId, graph, staticData, meta, tags, authorId: caller.userId };
    return workflows.create(workflow, caller.access['project:viewer']);
  }

  async get(id: WorkflowId, caller: Caller): Promise<Workflow> {
    return this.#options.workflows.get(id, caller.access['project:viewer']);
  }

  /**
   * Callers with the same access that request the same page at about the same time share one
   * object.
   */
  async list(query: ListWorkflowsQuery, caller: Caller): Promise<ReadWorkflowPage> {
    const access = caller.access['project:viewer'];
    const question = sharedKey(query, access);
    return this.#options.pages.get(question, () => this.#readPage(query, access));
  }

  /** As `list`, without reading the graphs. */
  async listSummaries(query: ListWorkflowsQuery, caller: Caller): Promise<Page<WorkflowSummary>> {
    const access = caller.access['project:viewer'];
    const filter = await this.#filterOf(query);
    return pageByCreation<WorkflowSummary>('workflows', query, async (page) =>
      filter ? this.#options.lists.read(({ workflows }) => workflows.listSummaries(filter, access, page)) : [],
    );
  }

  async #readPage(query: ListWorkflowsQuery, access: Access): Promise<ReadWorkflowPage> {
    const filter = await this.#filterOf(query);
    let bytes = 0;
    const { data, nextCursor } = await pageByCreation('workflows', query, async (page) => {
      if (!filter) return [];
      const result = await this.#options.lists.read(({ workflows }) => workflows.list(filter, access, page));
      bytes = result.bytes;
      return { entries: result.workflows, cut: result.cut };
    });
    return { view: { data: data.map((workflow) => toWorkflowView(workflow, query)), nextCursor }, bytes };
  }

  /** `undefined` if a tag does not exist, so that no workflow has it. */
  async #filterOf({ name, active, projectId, tags }: ListWorkflowsQuery): Promise<WorkflowFilter | undefined> {
    const names = namesIn(tags);
    const tagIds = names.length === 0 ? [] : await this.#options.tags.idsOf(names);
    return tagIds.length < names.length ? undefined : { name, active, projectId, tagIds };
  }

  /** @param ifMatch entity tags of the state that the caller changed; absent: any. */
  async update(id: WorkflowId, body: UpdateWorkflowBody, caller: Caller, ifMatch: string | undefined): Promise<Workflow> {
    const { 'project:editor': access, 'project:viewer': visible } = caller.access;
    return this.#options.workflows.update(id, access, caller.userId, visible, (current) => {
      assertMatches(ifMatch, current.updatedAtUs);
      return {
        graph: this.#checked(toGraph(body, current.graph)),
        staticData: body.staticData === undefined ? current.staticData : body.staticData,
        tags: body.tags,
      };
    });
  }

  /**
   * Once it resolves, only triggers of this version start executions, and they run this version.
   * Throws `NotFoundError` for an unknown or inaccessible version, `ValidationError` for nodes
   * whose triggers cannot be determined, and what `Registrar.register` throws.
   */
  async activate(id: WorkflowId, activation: Activation, caller: Caller): Promise<ActivatedWorkflow> {
    const { workflows, workflowVersions, planner, registrar, enqueuer } = this.#options;
    const access = caller.access['project:editor'];
    const head = await workflows.getHead(id, access);
    const version = await workflowVersions.get(id, activation.versionId ?? head.versionId, access);
    const triggers = await planner.plan({ ...head, active: true }, version);
    const { graph } = version;
    const registered = await registrar.register({ workflow: head, graph, triggers, userId: caller.userId });
    const activated = await workflows
      .activate(id, access, { ...activation, versionId: version.id }, triggers, registered)
      .catch(async (error: unknown) => {
        await registered.undo();
        throw error;
      });
    await Promise.all(activated.started.map((executionId) => enqueuer.enqueue({ executionId, attempt: 1 })));
    const warnings = await this.warningsOf(graph);
    const isStarted = triggers.length > 0 || registered.registrations.length > 0;
    return { workflow: activated, triggers, warnings: isStarted ? warnings : [noTrigger, ...warnings] };
  }

  /** Values that a run of the graph would reject or ignore. */
  warningsOf(graph: WorkflowGraph): Promise<WorkflowWarning[]> {
    return this.#options.advisor.warningsOf(graph);
  }

  /** Public URL of the API; null: unknown. */
  get publicUrl(): string | null {
    return this.#options.publicUrl;
  }

  /** Triggers of the workflow, and its registrations at remote services. */
  async listTriggers(
    id: WorkflowId,
    caller: Caller,
  ): Promise<{ triggers: ActiveTrigger[]; registrations: ShownRegistration[] }> {
    await this.#options.workflows.getHead(id, caller.access['project:viewer']);
    const { triggers, registrations } = this.#options;
    return { triggers: await triggers.list(id), registrations: await registrations.list(id) };
  }

  async deactivate(id: WorkflowId, caller: Caller): Promise<Workflow> {
    return this.#options.workflows.deactivate(id, caller.access['project:editor']);
  }

  /** Stops its executions, then deletes it with its whole history. `ifMatch` as in `update`. */
  async delete(id: WorkflowId, caller: Caller, ifMatch: string | undefined): Promise<{ id: WorkflowId; name: string }> {
    const check = ({ updatedAtUs }: WorkflowHead) => assertMatches(ifMatch, updatedAtUs);
    const { name, canceled } = await this.#options.workflows.delete(id, caller.access['project:editor'], check);
    await this.#options.signals.canceled(canceled);
    return { id, name };
  }

  #checked<T extends WorkflowGraph>(graph: T): T {
    const issues = checkGraph(graph, this.#options);
    if (issues.length > 0) throw new ValidationError('the workflow is not valid', issues);
    return graph;
  }
}

/** Maximum number of names in a filter: each costs a lookup per workflow. */
const maxFilterTags = 50;

/** Distinct names. Throws `ValidationError` for too many. */
function namesIn(list = ''): string[] {
  const names = new Set(list.split(',').map((name) => name.trim()));
  names.delete('');
  if (names.size > maxFilterTags) {
    throw invalidRequest('/tags', `must not name more than ${maxFilterTags} tags`);
  }
  return [...names];
}
