import {
  type DeleteExecutionsBody,
  type ExecutionPage,
  type ListExecutionsQuery,
  maxIssues,
  parseInstant,
  type StopManyBody,
  type UpdateExecutionBody,
} from '@sluice/contract';
import {
  type Access,
  type AnnotationRepository,
  type CalledExecutionRepository,
  type Execution,
  type ExecutionFilter,
  type ExecutionRepository,
  type GraphContent,
  type GraphRepository,
  noteForAudit,
  type ProjectRepository,
  type RunDataRepository,
  type ShownExecution,
  type SnapshotCache,
  type WorkflowRepository,
} from '@sluice/db';
import {
  ConflictError,
  type ExecutionId,
  type ExecutionStatus,
  errorMessage,
  ForbiddenError,
  isExecutionId,
  isId,
  type NodeRunRecord,
  NotFoundError,
  shownId,
  ValidationError,
  type ValidationIssue,
} from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { Caller } from '../auth/caller.ts';
import { type Lists, sharedKey } from '../paging/lists.ts';
import { decodeCursor, encodeCursor } from '../paging/page-cursors.ts';
import type { ExecutionEnqueuer } from './execution-enqueuer.ts';
import type { ExecutionSignals } from './execution-signals.ts';
import { type ExecutionWithData, toExecutionView } from './execution-view.ts';
import type { ShownRunReader } from './shown-run-reader.ts';

interface ExecutionServiceOptions {
  executions: ExecutionRepository;
  lists: Lists;
  pages: SnapshotCache<ExecutionPage>;
  runData: Pick<RunDataRepository, 'findInput' | 'findLast'>;
  shownRuns: ShownRunReader;
  annotations: AnnotationRepository;
  graphs: Pick<GraphRepository, 'find'>;
  workflows: WorkflowRepository;
  projects: Pick<ProjectRepository, 'get'>;
  signals: ExecutionSignals;
  calledExecutions: Pick<CalledExecutionRepository, 'wake'>;
  enqueuer: ExecutionEnqueuer;
  logger: Logger;
}

/** Bytes of JSON after which a page with data ends early; the next page continues after it. */
const pageDataBytes = 32 * 1024 * 1024;

/** Reads, annotates, stops and deletes executions. */
export class ExecutionService {
  readonly #options: ExecutionServiceOptions;

  constructor(options: ExecutionServiceOptions) {
    this.#options = options;
  }

  /**
   * Callers with the same access that request the same page at about the same time share one
   * object.
   */
  async list(query: ListExecutionsQuery, caller: Caller, closed: AbortSignal): Promise<ExecutionPage> {
    const access = caller.access['project:viewer'];
    if (query.includeData) return this.#readPage(query, access, closed);
    const key = sharedKey(query, access);
    return this.#options.pages.get(key, () => this.#readPage(query, access));
  }

  async #readPage(query: ListExecutionsQuery, access: Access, dataFor?: AbortSignal): Promise<ExecutionPage> {
    const filter = toFilter(query);
    const pageRequest = { limit: query.limit + 1, ...startOf(query) };
    const [{ executions: rows, counted }, running] = await this.#options.lists.read(({ executions }) =>
      Promise.all([executions.read(filter, access, pageRequest), executions.countRunning(access)]),
    );
    const page = rows.slice(0, query.limit);
    const entries = dataFor ? await this.#withData(page, dataFor) : page.map((execution) => ({ execution }));
    const last = entries.length < rows.length ? entries.at(-1) : undefined;
    return {
      data: entries.map(toExecutionView),
      nextCursor: last ? encodeCursor('executions', { id: last.execution.id }) : null,
      ...counted,
      concurrentExecutionsCount: running,
    };
  }

  /** `dataFor`: signal of the response that contains the node data; absent: without data. */
  async get(id: ExecutionId, caller: Caller, dataFor?: AbortSignal): Promise<ExecutionWithData> {
    const execution = await this.#options.executions.getShown(id, caller.access['project:viewer']);
    return dataFor ? (await this.#addData(execution, dataFor)).entry : { execution };
  }

  /** The graph that an execution runs, which may differ from its version. */
  async getGraph(id: ExecutionId, caller: Caller): Promise<GraphContent> {
    const { workflowId, graphHash } = await this.#options.executions.get(id, caller.access['project:viewer']);
    const graph = await this.#options.graphs.find(workflowId, graphHash);
    if (!graph) throw new NotFoundError(`the graph of execution ${id} does not exist`);
    return graph;
  }

  /** An execution and the node run that ended last. */
  async getOutcome(id: ExecutionId, caller: Caller): Promise<{ execution: ShownExecution; lastNodeRun?: NodeRunRecord }> {
    const { execution } = await this.get(id, caller);
    const lastNodeRun = await this.#options.runData.findLast(id);
    return { execution, ...(lastNodeRun && { lastNodeRun }) };
  }

  async annotate(id: ExecutionId, { annotation }: UpdateExecutionBody, caller: Caller): Promise<ShownExecution> {
    const { executions, annotations } = this.#options;
    const access = caller.access['project:editor'];
    if (annotation) await annotations.annotate(id, access, annotation);
    return executions.getShown(id, access);
  }

  /** Throws `ConflictError` if the execution has ended. */
  async stop(id: ExecutionId, caller: Caller): Promise<{ id: ExecutionId; stoppedAt: Date }> {
    const { executions, signals } = this.#options;
    const canceled = await executions.cancel(id, caller.access['project:editor']);
    if (!canceled) throw new ConflictError('the execution has already ended');
    await signals.canceled([id, ...canceled.called]);
    if (canceled.parentId !== null) await this.#wakeParent(canceled.parentId);
    return canceled;
  }

  /**
   * Resumes the execution that called a stopped one. Call after the commit. A worker's sweep
   * retries failures.
   */
  async #wakeParent(id: ExecutionId): Promise<void> {
    const { calledExecutions, enqueuer, logger } = this.#options;
    try {
      const { due } = await calledExecutions.wake([id]);
      await Promise.all(due.map((ref) => enqueuer.enqueue(ref)));
    } catch (error) {
      logger.warn(
        { executionIds: [id], error: errorMessage(error) },
        'parent executions not resumed; the sweeper will resume them',
      );
    }
  }

  /**
   * Resolves to the number of executions stopped: those that match the filter and that the caller
   * may stop. `dryRun`: only counts them.
   */
  async stopMany({ filter, dryRun, limit }: StopManyBody, caller: Caller): Promise<number> {
    const access = caller.access['project:editor'];
    const workflowId = filter.workflowId === 'all' ? undefined : filter.workflowId;
    // The audit log quotes the filter.
    if (workflowId !== undefined && !isId(workflowId))
      throw new NotFoundError(`workflow ${shownId(workflowId)} does not exist`);
    if (filter.projectId !== undefined) await this.#options.projects.get(filter.projectId, access);
    noteForAudit({ details: { filter: { ...filter }, ...(dryRun && { dryRun }) } });
    if (workflowId !== undefined) {
      noteForAudit({ objectType: 'workflow', objectId: workflowId });
      const { name, projectId } = await this.#options.workflows.getHead(workflowId, access);
      noteForAudit({ objectName: name, projectId });
    }
    if (filter.status.length === 0) return 0;
    const statuses = filter.status.map((status) => (status === 'queued' ? 'new' : status));
    const { projectId, mode } = filter;
    const matching = { workflowId, projectId, mode, statuses, limit, ...toPeriod(filter) };
    if (dryRun) return this.#options.executions.countCancelable(matching, access);
    const { ids, called } = await this.#options.executions.cancelMany(matching, access);
    await this.#options.signals.canceled([...ids, ...called]);
    return ids.length;
  }

  /** Deletes all or none; resolves to their number. Ignores unknown IDs. `dryRun`: only counts. */
  async deleteMany({ ids, dryRun }: DeleteExecutionsBody, caller: Caller): Promise<number> {
    const access = caller.access['project:editor'];
    noteForAudit({ details: { ids: ids.filter(isExecutionId), ...(dryRun && { dryRun }) } });
    const check = (rows: readonly Execution[]) => {
      const foreign = rows.find((execution) => !access.includes(execution.projectId));
      if (foreign) throw new ForbiddenError(`execution ${foreign.id} is not accessible with the role that this needs`);
      const running = new Set(rows.filter(({ status }) => status === 'running').map(({ id }) => id as string));
      if (running.size > 0) throw new ValidationError('cannot delete a running execution', runningAmong(ids, running));
    };
    return this.#options.executions.deleteMany(ids, check, { dryRun });
  }

  /** Sequential: the data of a whole page at once could exhaust the memory. */
  async #withData(page: readonly ShownExecution[], closed: AbortSignal): Promise<ExecutionWithData[]> {
    const entries: ExecutionWithData[] = [];
    let bytesSoFar = 0;
    for (const execution of page) {
      const { entry, bytes } = await this.#addData(execution, closed);
      entries.push(entry);
      bytesSoFar += bytes;
      if (bytesSoFar > pageDataBytes) break;
    }
    return entries;
  }

  async #addData(execution: ShownExecution, closed: AbortSignal): Promise<{ entry: ExecutionWithData; bytes: number }> {
    const { runData, shownRuns } = this.#options;
    const [{ records, bytes }, input] = await Promise.all([
      shownRuns.read(execution.id, closed),
      runData.findInput(execution.id),
    ]);
    return { entry: { execution, data: { records, input } }, bytes };
  }
}

function runningAmong(ids: readonly string[], running: ReadonlySet<string>): ValidationIssue[] {
  const issues = ids.map((id, index) => ({ id, path: `/ids/${index}`, message: 'is running: stop it first' }));
  return issues.filter(({ id }) => running.has(id)).slice(0, maxIssues);
}

function toFilter({ status, workflowId, projectId, mode, ...period }: ListExecutionsQuery): ExecutionFilter {
  const statuses = status?.split(',') as ExecutionStatus[] | undefined;
  return { statuses, workflowId, projectId, mode, ...toPeriod(period) };
}

function toPeriod({ startedAfter, startedBefore }: { startedAfter?: string; startedBefore?: string }) {
  const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(parseInstant(text) ?? Number.NaN));
  return { startedAfter: toDate(startedAfter), startedBefore: toDate(startedBefore) };
}

/** Start of the page: after the cursor and after `lastId`, whichever is later. */
function startOf({ cursor, lastId }: ListExecutionsQuery): { beforeId?: ExecutionId } {
  const ids = [lastId, cursor === undefined ? undefined : decodeCursor('executions', cursor).id].filter(
    (id) => id !== undefined,
  );
  const [lowest] = ids.sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  return lowest === undefined ? {} : { beforeId: lowest };
}
