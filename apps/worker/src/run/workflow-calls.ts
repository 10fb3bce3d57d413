import {
  type CallableWorkflowRepository,
  type CalledExecutionRepository,
  type ClaimedExecution,
  encodeGraph,
  type GraphCache,
  type GraphContent,
  type GraphRepository,
  type QueueGauge,
} from '@sluice/db';
import {
  type CallableWorkflow,
  type ExecutionId,
  type JsonObject,
  mayCall,
  untilAvailable,
  ValidationError,
  type WorkflowGraph,
  type WorkflowRun,
} from '@sluice/domain';
import { NodeOperationError, type WorkflowAccess } from '@sluice/node-sdk';
import type { SecretScrubber } from '@sluice/vault';
import type { FollowUps } from '../claims/follow-ups.ts';
import { calledWorkflows } from './suspender.ts';

export interface WorkflowCallsOptions {
  callableWorkflows: CallableWorkflowRepository;
  calledExecutions: CalledExecutionRepository;
  graphCache: GraphCache;
  graphs: GraphRepository;
  queueGauge: QueueGauge;
  followUps: FollowUps;
  maxNodes: number;
  /** Maximum JSON size of the inputs with which one node calls workflows. */
  maxInputBytes: number;
}

/** The execution whose nodes call workflows. */
export interface CallingRun {
  claimed: ClaimedExecution;
  scrubber: SecretScrubber;
  /** Ends waiting. */
  signal: AbortSignal;
  /** Name of its workflow. */
  name: string;
  /** The requested last node. */
  destinationNode?: string | undefined;
}

/** Maximum depth of calls, which ends endless recursion. */
const maxCallDepth = 20;

/**
 * Access of one execution's nodes to other workflows. Reading and starting them waits while
 * Postgres is unreachable.
 */
export class WorkflowCalls implements WorkflowAccess {
  readonly #options: WorkflowCallsOptions;
  readonly #run: CallingRun;

  constructor(options: WorkflowCallsOptions, run: CallingRun) {
    this.#options = options;
    this.#run = run;
  }

  /** A manual run calls the newest version; any other run the active version, if there is one. */
  async find(id: string): Promise<CallableWorkflow> {
    this.#assertDepth();
    const { workflowId: callerId, mode } = this.#run.claimed;
    const { callableWorkflows, graphCache } = this.#options;
    const target = await untilAvailable(() => callableWorkflows.find(id, callerId), this.#run.signal);
    const settings = target?.settings ?? undefined;
    const isAllowed = target && mayCall({ callerId, targetId: target.id, sameProject: target.sameProject, settings });
    if (!target || !(isAllowed || target.sameProject))
      throw notCallable(
        `workflow ${id} does not exist or cannot be called from this workflow`,
        'Choose a workflow of this project, or a workflow that allows calls from this one',
      );
    if (!isAllowed)
      throw notCallable(
        `workflow "${target.name}" does not allow calls from this workflow: see callerPolicy in its settings`,
        'Name this workflow in "callerIds" of its settings, or allow calls from all workflows',
      );
    const graphHash = mode === 'manual' ? target.newestHash : (target.activeHash ?? target.newestHash);
    const graph = await untilAvailable(() => graphCache.get(target.id, graphHash), this.#run.signal);
    return { id: target.id, name: target.name, graphHash, returnsAllRuns: returnsAllRuns(graph) };
  }

  async define(workflow: JsonObject): Promise<CallableWorkflow> {
    this.#assertDepth();
    const graph = await readWorkflow(workflow, this.#options.maxNodes);
    const encoded = await encodeGraph(graph);
    await untilAvailable(() => this.#options.graphs.storeForRun(this.#run.claimed.workflowId, encoded), this.#run.signal);
    const { workflowId: id } = this.#run.claimed;
    return { id, name: graph.name, graphHash: encoded.hash, returnsAllRuns: returnsAllRuns(graph) };
  }

  current(): ReturnType<WorkflowAccess['current']> {
    this.#assertDepth();
    const { workflowId: id, graphHash } = this.#run.claimed;
    const { name, destinationNode } = this.#run;
    return { workflow: { id, name, graphHash, returnsAllRuns: false }, destinationNode };
  }

  async start(runs: readonly WorkflowRun[]): Promise<ExecutionId[]> {
    const { calledExecutions, queueGauge, followUps, maxInputBytes } = this.#options;
    const children = await calledWorkflows(runs, this.#run.scrubber, maxInputBytes);
    const full = await untilAvailable(() => queueGauge.full(), this.#run.signal);
    const write = {};
    const starting = () => calledExecutions.start(this.#run.claimed.executionId, children, full, write);
    const started = await untilAvailable(starting, this.#run.signal);
    for (const { projectId } of started) queueGauge.note(projectId);
    await followUps.enqueue(started.map(({ executionId }) => ({ executionId, attempt: 1 })));
    return started.map(({ executionId }) => executionId);
  }

  #assertDepth(): void {
    if (this.#run.claimed.callDepth < maxCallDepth) return;
    const description = 'A workflow that calls itself, directly or not, needs a way to end.';
    const message = `workflows call each other deeper than ${maxCallDepth} levels`;
    throw notCallable(message, description);
  }
}

/** Old versions of the trigger may request the output of all runs of the last node. */
function returnsAllRuns({ nodes }: Pick<WorkflowGraph, 'nodes'>): boolean {
  return nodes.some(
    ({ type, typeVersion = 1, parameters }) =>
      /\.execute-?workflow-?trigger$/i.test(type) && typeVersion < 1.2 && parameters['returnOutput'] === 'allRuns',
  );
}

async function readWorkflow(workflow: JsonObject, maxNodes: number): Promise<GraphContent> {
  // Most workers never need the schemas.
  const { readWorkflowJson } = await import('./read-workflow-json.ts');
  try {
    return readWorkflowJson(workflow, maxNodes);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const issues = error.details as unknown as { path: string; message: string }[];
    throw notCallable('the JSON is not a workflow', issues.map(({ path, message }) => `${path} ${message}`).join('; '));
  }
}

function notCallable(message: string, description: string): NodeOperationError {
  return new NodeOperationError(message, { description }, 'WORKFLOW_NOT_CALLABLE');
}
