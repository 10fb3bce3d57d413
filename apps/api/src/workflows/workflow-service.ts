import { type CreateWorkflowBody, checkGraph, type ListWorkflowsQuery, type UpdateWorkflowBody } from '@sluice/contract';
import type { ProjectRepository, Workflow, WorkflowRepository } from '@sluice/db';
import { ValidationError, type WorkflowGraph, type WorkflowId } from '@sluice/domain';
import type { Caller } from '../auth/caller.ts';
import type { ExecutionSignals } from '../executions/execution-signals.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { assertMatches } from '../http/etag.ts';
import { assertWorkflowId } from './assert-workflow-id.ts';
import { toGraph } from './to-graph.ts';

export interface WorkflowServiceOptions {
  workflows: WorkflowRepository;
  projects: ProjectRepository;
  signals: ExecutionSignals;
  maxNodes: number;
}

export class WorkflowService {
  readonly #options: WorkflowServiceOptions;

  constructor(options: WorkflowServiceOptions) {
    this.#options = options;
  }

  async create(body: CreateWorkflowBody, caller: Caller): Promise<Workflow> {
    const { workflows, projects } = this.#options;
    const { id, projectId = caller.personalProjectId, staticData = null, meta = null } = body;
    assertTagsExist(body.tags);
    const graph = this.#checked(toGraph(body));
    await projects.get(projectId, caller.access['project:editor']);
    return workflows.create({ id, projectId, graph, staticData, meta, authorId: caller.userId });
  }

  async get(id: WorkflowId, caller: Caller): Promise<Workflow> {
    assertWorkflowId(id);
    return this.#options.workflows.get(id, caller.access['project:viewer']);
  }

  async list(query: ListWorkflowsQuery, caller: Caller): Promise<{ workflows: Workflow[]; nextCursor: string | null }> {
    const { cursor, limit, name, active, projectId } = query;
    const position = cursor === undefined ? undefined : decodeCursor('workflows', cursor);
    if (namesIn(query.tags).length > 0) return { workflows: [], nextCursor: null }; // no tag exists in this version
    const after = position && { createdAtUs: position.at, id: position.id };
    const access = caller.access['project:viewer'];
    const found = await this.#options.workflows.list({ name, active, projectId }, access, { limit: limit + 1, after });
    const workflows = found.slice(0, limit);
    const last = found.length > limit ? workflows.at(-1) : undefined;
    const nextCursor = last ? encodeCursor('workflows', { id: last.id, at: last.createdAtUs }) : null;
    return { workflows, nextCursor };
  }

  /** @param ifMatch the entity tags that the caller's change was made for; absent: any. */
  async update(id: WorkflowId, body: UpdateWorkflowBody, caller: Caller, ifMatch: string | undefined): Promise<Workflow> {
    assertWorkflowId(id);
    assertTagsExist(body.tags);
    return this.#options.workflows.update(id, caller.access['project:editor'], caller.userId, (current) => {
      assertMatches(ifMatch, current.updatedAtUs);
      return {
        graph: this.#checked(toGraph(body, current.graph)),
        staticData: body.staticData === undefined ? current.staticData : body.staticData,
      };
    });
  }

  /** Stops what runs, then deletes the workflow with its whole history. */
  async delete(id: WorkflowId, caller: Caller): Promise<{ id: WorkflowId; name: string }> {
    assertWorkflowId(id);
    const { name, canceled } = await this.#options.workflows.delete(id, caller.access['project:editor']);
    await this.#options.signals.canceled(canceled);
    return { id, name };
  }

  #checked<T extends WorkflowGraph>(graph: T): T {
    const issues = checkGraph(graph, this.#options);
    if (issues.length > 0) throw new ValidationError('the workflow is not valid', issues);
    return graph;
  }
}

/** Tags come with a later version: until then no id names one. */
function assertTagsExist(ids: readonly string[] = []): void {
  if (ids.length === 0) return;
  throw new ValidationError(
    'a tag does not exist',
    ids.slice(0, 20).map((_, i) => ({ path: `/tags/${i}`, message: 'no tag has this id' })),
  );
}

function namesIn(list = ''): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
