import type {
  Execution,
  ExecutionRepository,
  GraphContent,
  GraphRepository,
  IdempotencyKey,
  NewRetry,
  WorkflowRepository,
} from '@sluice/db';
import { ConflictError, type ExecutionId, GraphIndex, isRetryable, NotFoundError, ValidationError } from '@sluice/domain';
import type { Caller } from '../auth/caller.ts';
import type { ExecutionEnqueuer } from './execution-enqueuer.ts';

interface RetryServiceOptions {
  executions: ExecutionRepository;
  workflows: WorkflowRepository;
  graphs: GraphRepository;
  enqueuer: ExecutionEnqueuer;
}

interface RetryOptions {
  /** True: the newest graph of the workflow; false: the graph of the original execution. */
  loadWorkflow: boolean;
  /** `start`, or the name of a node; absent: where the original failed. */
  from?: string | undefined;
  idempotencyKey?: IdempotencyKey | undefined;
}

/**
 * Starts retries (Contract 4.6): a new execution that keeps the outputs of the nodes that had
 * finished.
 */
export class RetryService {
  readonly #options: RetryServiceOptions;

  constructor(options: RetryServiceOptions) {
    this.#options = options;
  }

  async retry(id: ExecutionId, caller: Caller, options: RetryOptions): Promise<Execution> {
    const { executions, enqueuer } = this.#options;
    const access = caller.access['project:editor'];
    const original = await executions.get(id, access);
    assertRetryable(original);
    enqueuer.assertUp();
    const { idempotencyKey } = options;
    const startedId = idempotencyKey && (await executions.findStarted(idempotencyKey));
    if (startedId !== undefined) return executions.get(startedId, access);
    const { graph, ...version } = await this.#graphOf(original, caller, options.loadWorkflow);
    const retry: NewRetry = {
      original,
      access,
      ...version,
      userId: caller.userId,
      keep: toKeep(graph, options.from),
    };
    const started = await executions.retry(retry, idempotencyKey);
    if (started.repeated) return executions.get(started.id, access);
    await enqueuer.enqueue({ executionId: started.id, attempt: 1 });
    return started.execution;
  }

  async #graphOf(original: Execution, caller: Caller, newest: boolean) {
    const { workflows, graphs } = this.#options;
    const { graphHash, versionId } = newest
      ? await workflows.getHead(original.workflowId, caller.access['project:editor'])
      : original;
    const graph: GraphContent | undefined = await graphs.find(original.workflowId, graphHash);
    if (!graph) throw new NotFoundError(`workflow ${original.workflowId} does not exist`);
    return { graph, graphHash, versionId };
  }
}

function assertRetryable({ status }: Execution): void {
  if (isRetryable(status)) return;
  if (status === 'running' || status === 'waiting') throw new ConflictError('cannot retry a running or waiting execution');
  throw new ConflictError(`cannot retry an execution with the status ${status}`);
}

/** With `from`: that node and every node after it run again, and use their sub-nodes again. */
function toKeep(graph: GraphContent, from: string | undefined): NewRetry['keep'] {
  if (from === 'start') return 'none';
  const index = new GraphIndex(graph);
  const names = [...index.nodes.keys()];
  const modelRuns = (of: readonly string[]) => of.map((name) => index.modelRunsOf(name));
  const subNodes = [...names.filter((name) => index.isSubNode(name)), ...modelRuns(names)];
  if (from === undefined) return { except: [], subNodes };
  if (!index.nodes.has(from)) {
    throw new ValidationError('the request names a node that does not exist', [
      { path: '/from', message: 'no node has this name' },
    ]);
  }
  const descendants = index.descendantsOf([from]);
  const again = [...descendants, ...index.usedBy(descendants)];
  return { except: [...again, ...modelRuns(again)], subNodes };
}
