import type { ExecutionPage, ExecutionView, ListExecutionsQuery, StopManyBody } from '@sluice/contract';
import { parseInstant } from '@sluice/contract';
import type {
  Execution,
  ExecutionFilter,
  ExecutionList,
  ExecutionRepository,
  RunDataRepository,
  WorkflowRepository,
} from '@sluice/db';
import { ConflictError, type ExecutionId, type ExecutionStatus, ForbiddenError, ValidationError } from '@sluice/domain';
import type { Caller } from '../auth/caller.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { assertWorkflowId } from '../workflows/assert-workflow-id.ts';
import type { ExecutionSignals } from './execution-signals.ts';
import { toExecutionData, toExecutionView } from './execution-view.ts';

export interface ExecutionServiceOptions {
  executions: ExecutionRepository;
  list: ExecutionList;
  runData: RunDataRepository;
  workflows: WorkflowRepository;
  signals: ExecutionSignals;
}

/** Reads, stops and deletes executions. */
export class ExecutionService {
  readonly #options: ExecutionServiceOptions;

  constructor(options: ExecutionServiceOptions) {
    this.#options = options;
  }

  async list(query: ListExecutionsQuery, caller: Caller): Promise<ExecutionPage> {
    const { list } = this.#options;
    const access = caller.access['project:viewer'];
    const filter = toFilter(query);
    const [found, counted, running] = await Promise.all([
      list.page(filter, access, { limit: query.limit + 1, ...startOf(query) }),
      list.count(filter, access),
      list.countRunning(access),
    ]);
    const page = found.slice(0, query.limit);
    const last = found.length > query.limit ? page.at(-1) : undefined;
    const data: ExecutionView[] = [];
    // One after the other: run data of a whole page at once could fill the memory.
    for (const execution of page) data.push(await this.#view(execution, execution.workflowName, query.includeData));
    return {
      data,
      nextCursor: last ? encodeCursor('executions', { id: last.id }) : null,
      ...counted,
      concurrentExecutionsCount: running,
    };
  }

  async get(id: ExecutionId, caller: Caller, { includeData }: { includeData: boolean }): Promise<ExecutionView> {
    const access = caller.access['project:viewer'];
    const execution = await this.#options.executions.get(id, access);
    const workflow = await this.#options.workflows.getHead(execution.workflowId, access);
    return this.#view(execution, workflow.name, includeData);
  }

  /** Throws `ConflictError` for an execution that has ended. */
  async stop(id: ExecutionId, caller: Caller): Promise<{ id: ExecutionId; stoppedAt: Date }> {
    const { executions, signals } = this.#options;
    await executions.get(id, caller.access['project:editor']);
    const canceled = await executions.cancel(id);
    if (!canceled) throw new ConflictError('the execution has already ended');
    await signals.canceled([id]);
    return canceled;
  }

  /** Resolves to the number of executions stopped: those of the filter that the caller may stop. */
  async stopMany({ filter }: StopManyBody, caller: Caller): Promise<number> {
    const access = caller.access['project:editor'];
    const workflowId = filter.workflowId === 'all' ? undefined : filter.workflowId;
    if (workflowId !== undefined) {
      assertWorkflowId(workflowId);
      await this.#options.workflows.getHead(workflowId, access);
    }
    if (filter.status.length === 0) return 0;
    const statuses = filter.status.map((status) => (status === 'queued' ? 'new' : status));
    const ids = await this.#options.executions.cancelMany({ workflowId, statuses, ...toPeriod(filter) }, access);
    await this.#options.signals.canceled(ids);
    return ids.length;
  }

  /** All or none; ids that do not exist are skipped. */
  async deleteMany(ids: readonly string[], caller: Caller): Promise<void> {
    const access = caller.access['project:editor'];
    await this.#options.executions.deleteMany(ids, (found) => {
      const foreign = found.find((execution) => !access.includes(execution.projectId));
      if (foreign) throw new ForbiddenError(`execution ${foreign.id} is not accessible`);
      if (found.some(({ status }) => status === 'running')) throw new ValidationError('cannot delete a running execution');
    });
  }

  async #view(execution: Execution, workflowName: string, includeData: boolean): Promise<ExecutionView> {
    if (!includeData) return toExecutionView(execution, workflowName);
    const { runData } = this.#options;
    const [records, input] = await Promise.all([runData.listNodeRuns(execution.id), runData.findInput(execution.id)]);
    return toExecutionView(execution, workflowName, toExecutionData(execution, { records, input }));
  }
}

function toFilter({ status, workflowId, projectId, mode, ...period }: ListExecutionsQuery): ExecutionFilter {
  const statuses = status?.split(',') as ExecutionStatus[] | undefined;
  return { statuses, workflowId, projectId, mode, ...toPeriod(period) };
}

function toPeriod({ startedAfter, startedBefore }: { startedAfter?: string; startedBefore?: string }) {
  const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(parseInstant(text) ?? Number.NaN));
  return { startedAfter: toDate(startedAfter), startedBefore: toDate(startedBefore) };
}

/** Where the page begins: behind the cursor and behind `lastId`, both if both are given. */
function startOf({ cursor, lastId }: ListExecutionsQuery): { beforeId?: ExecutionId } {
  const ids = [lastId, cursor === undefined ? undefined : decodeCursor('executions', cursor).id].filter(
    (id) => id !== undefined,
  );
  const [lowest] = ids.sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  return lowest === undefined ? {} : { beforeId: lowest };
}
