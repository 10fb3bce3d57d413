import { checkGraph, type RunView, type RunWorkflowBody } from '@sluice/contract';
import {
  type ExecutionInput,
  type ExecutionRepository,
  type ExecutionStarter,
  encodeGraph,
  type GraphContent,
  type GraphRepository,
  type IdempotencyKey,
  type NewExecution,
  type RunDataRepository,
  type StartedOnce,
  type WorkflowHead,
  type WorkflowRepository,
} from '@sluice/db';
import {
  type ExecutionId,
  isTerminal,
  NotFoundError,
  ValidationError,
  type ValidationIssue,
  type WorkflowId,
} from '@sluice/domain';
import type { EndedWaiter } from '@sluice/queue';
import type { Caller } from '../auth/caller.ts';
import { preferredWaitMs } from '../http/prefer.ts';
import { assertWorkflowId } from '../workflows/assert-workflow-id.ts';
import { toGraph } from '../workflows/to-graph.ts';
import type { Delivery } from './delivery.ts';
import { toResultData } from './execution-view.ts';
import { toRunData } from './given-run-data.ts';
import { type TimeoutCache, timeoutOf } from './timeout-cache.ts';

export interface RunServiceOptions {
  workflows: WorkflowRepository;
  graphs: GraphRepository;
  starter: ExecutionStarter;
  executions: ExecutionRepository;
  runData: RunDataRepository;
  delivery: Delivery;
  ended: EndedWaiter;
  timeouts: TimeoutCache;
  maxNodes: number;
  /** Milliseconds to wait for the end of a run where the caller does not say. */
  runWaitMs: number;
}

export interface RunOptions {
  /** The `Prefer` header. */
  prefer?: string;
  idempotencyKey?: IdempotencyKey;
  /** Fires when nobody waits any more; the run goes on. */
  signal?: AbortSignal;
}

type GraphToRun = Pick<NewExecution, 'graphHash' | 'versionId' | 'timeoutMs'>;

/** Starts runs: check → insert and commit → enqueue → wait for the end (decision 4.4). */
export class RunService {
  readonly #options: RunServiceOptions;

  constructor(options: RunServiceOptions) {
    this.#options = options;
  }

  async run(workflowId: WorkflowId, body: RunWorkflowBody, caller: Caller, options: RunOptions = {}): Promise<RunView> {
    const { delivery, executions, runWaitMs } = this.#options;
    delivery.assertUp();
    const execution = await this.#prepare(workflowId, body, caller);
    const started = await this.#insert(execution, options.idempotencyKey);
    const waitMs = preferredWaitMs(options.prefer, runWaitMs);
    if (waitMs === 0 && !started.repeated) {
      await delivery.deliver({ executionId: started.id, attempt: 1 });
      return { executionId: started.id, finished: false, status: 'new', data: { resultData: { runData: {} } } };
    }
    if (waitMs > 0) await this.#deliverAndWait(started, waitMs, options.signal, caller);
    return this.#view(await executions.get(started.id, caller.access['project:viewer']));
  }

  async #prepare(workflowId: WorkflowId, body: RunWorkflowBody, caller: Caller): Promise<NewExecution> {
    assertWorkflowId(workflowId);
    const head = await this.#options.workflows.getHead(workflowId, caller.access['project:editor']);
    const toRun = body.workflowData ? await this.#snapshot(head, body) : await this.#stored(head, body);
    const input = toInput(body);
    return { workflowId, ...toRun, mode: 'manual', userId: caller.userId, ...(input && { input }) };
  }

  async #stored(head: WorkflowHead, body: RunWorkflowBody): Promise<GraphToRun> {
    const { graphs, timeouts } = this.#options;
    const read = async (): Promise<GraphContent> => {
      const graph = await graphs.find(head.id, head.graphHash);
      if (!graph) throw new NotFoundError(`workflow ${head.id} does not exist`);
      return graph;
    };
    if (body.startNodes || body.destinationNode !== undefined) assertNodesExist(body, await read());
    const timeoutMs = await timeouts.get(head.graphHash, async () => (await read()).settings);
    return { graphHash: head.graphHash, versionId: head.versionId, timeoutMs };
  }

  /** Keeps the graph that came with the request; one that equals the newest version is that version. */
  async #snapshot(head: WorkflowHead, body: RunWorkflowBody): Promise<GraphToRun> {
    const graph = toGraph({ name: head.name, ...body.workflowData });
    const issues = checkGraph(graph, this.#options).map(({ path, message }) => ({ path: `/workflowData${path}`, message }));
    if (issues.length > 0) throw new ValidationError('the workflow is not valid', issues);
    assertNodesExist(body, graph);
    const encoded = encodeGraph(graph);
    const isNewest = encoded.hash === head.graphHash;
    if (!isNewest) await this.#options.graphs.store(head.id, encoded);
    return { graphHash: encoded.hash, versionId: isNewest ? head.versionId : null, timeoutMs: timeoutOf(graph.settings) };
  }

  async #insert(execution: NewExecution, key: IdempotencyKey | undefined): Promise<StartedOnce> {
    if (key) return this.#options.executions.startOnce(execution, key);
    const { id } = await this.#options.starter.start(execution);
    if (id === null) throw new NotFoundError(`workflow ${execution.workflowId} does not exist`);
    return { id, repeated: false };
  }

  /** Begins to listen before the job can be taken, so that the end of the shortest run is heard. */
  async #deliverAndWait(
    { id, repeated }: StartedOnce,
    waitMs: number,
    gone: AbortSignal | undefined,
    caller: Caller,
  ): Promise<void> {
    const over = new AbortController();
    const signal = gone ? AbortSignal.any([over.signal, gone]) : over.signal;
    const ended = this.#options.ended.wait(id, waitMs, signal);
    try {
      if (!repeated) await this.#options.delivery.deliver({ executionId: id, attempt: 1 });
      else if (await this.#isOver(id, caller)) over.abort();
      await ended;
    } finally {
      over.abort();
    }
  }

  async #isOver(id: ExecutionId, caller: Caller): Promise<boolean> {
    const { status } = await this.#options.executions.get(id, caller.access['project:viewer']);
    return isTerminal(status) || status === 'waiting';
  }

  async #view(execution: Awaited<ReturnType<ExecutionRepository['get']>>): Promise<RunView> {
    const records = execution.status === 'new' ? [] : await this.#options.runData.listNodeRuns(execution.id);
    return {
      executionId: execution.id,
      finished: isTerminal(execution.status),
      status: execution.status,
      data: { resultData: toResultData(execution, records) },
    };
  }
}

function assertNodesExist({ startNodes = [], destinationNode }: RunWorkflowBody, { nodes }: Pick<GraphContent, 'nodes'>): void {
  const names = new Set(nodes.map((node) => node.name));
  const message = 'no node has this name';
  const issues: ValidationIssue[] = [];
  if (destinationNode !== undefined && !names.has(destinationNode)) issues.push({ path: '/destinationNode', message });
  startNodes.forEach((name, i) => {
    if (!names.has(name) && issues.length < 20) issues.push({ path: `/startNodes/${i}`, message });
  });
  if (issues.length > 0) throw new ValidationError('the request names nodes that are not there', issues);
}

/** `undefined` for the usual run, which brings nothing along. */
function toInput({ startNodes, destinationNode, runData }: RunWorkflowBody): ExecutionInput | undefined {
  const input: ExecutionInput = {};
  if (startNodes && startNodes.length > 0) input.startNodes = startNodes;
  if (destinationNode !== undefined) input.destinationNode = destinationNode;
  if (runData && Object.keys(runData).length > 0) input.runData = toRunData(runData);
  return Object.keys(input).length > 0 ? input : undefined;
}
