import type {
  CallableWorkflowRepository,
  CalledExecutionRepository,
  ClaimedExecution,
  GraphCache,
  GraphContent,
  GraphRepository,
  QueueGauge,
} from '@sluice/db';
import { encodeGraph } from '@sluice/db';
import {
  type CallableWorkflow,
  type ExecutionId,
  isJsonObject,
  type JsonObject,
  mayCall,
  type WorkflowGraph,
  type WorkflowRun,
} from '@sluice/domain';
import { NodeOperationError, type WorkflowAccess } from '@sluice/node-sdk';
import type { SecretScrubber } from '@sluice/vault';
import type { FollowUps } from './follow-ups.ts';
import { calledWorkflows } from './suspender.ts';
import { untilAvailable } from './until-available.ts';

export interface WorkflowCallsOptions {
  callableWorkflows: CallableWorkflowRepository;
  calledExecutions: CalledExecutionRepository;
  graphCache: GraphCache;
  graphs: GraphRepository;
  queueGauge: QueueGauge;
  followUps: FollowUps;
}

/** Maximum depth of calls, which ends endless recursion. */
const maxCallDepth = 20;

/**
 * Access of one execution's nodes to other workflows. Reading them waits while Postgres is
 * unreachable.
 */
export class WorkflowCalls implements WorkflowAccess {
  readonly #options: WorkflowCallsOptions;
  readonly #parent: ClaimedExecution;
  readonly #scrubber: SecretScrubber;
  readonly #signal: AbortSignal;

  /** `signal` ends waiting. */
  constructor(options: WorkflowCallsOptions, parent: ClaimedExecution, scrubber: SecretScrubber, signal: AbortSignal) {
    this.#options = options;
    this.#parent = parent;
    this.#scrubber = scrubber;
    this.#signal = signal;
  }

  /** A manual run calls the newest version; any other run the active version, if there is one. */
  async find(id: string): Promise<CallableWorkflow> {
    this.#assertDepth();
    const { workflowId: callerId, mode } = this.#parent;
    const { callableWorkflows, graphCache } = this.#options;
    const target = await untilAvailable(() => callableWorkflows.find(id, callerId), this.#signal);
    const settings = target?.settings ?? undefined;
    const isAllowed = target && mayCall({ callerId, targetId: target.id, sameProject: target.sameProject, settings });
    if (!target || !(isAllowed || target.sameProject))
      throw notCallable(
        `there is no workflow ${id} that may be called here`,
        'Choose a workflow of this project, or one that lets this one call it',
      );
    if (!isAllowed)
      throw notCallable(
        `workflow "${target.name}" does not allow this one to call it: see callerPolicy in its settings`,
        'Name this workflow in "callerIds" of its settings, or let all workflows call it',
      );
    const graphHash = mode === 'manual' ? target.newestHash : (target.activeHash ?? target.newestHash);
    const graph = await untilAvailable(() => graphCache.get(target.id, graphHash), this.#signal);
    return { id: target.id, name: target.name, graphHash, returnsAllRuns: returnsAllRuns(graph) };
  }

  async define(workflow: JsonObject): Promise<CallableWorkflow> {
    this.#assertDepth();
    const graph = toGraph(workflow);
    const encoded = await encodeGraph(graph);
    await untilAvailable(() => this.#options.graphs.store(this.#parent.workflowId, encoded), this.#signal);
    const { workflowId: id } = this.#parent;
    return { id, name: graph.name, graphHash: encoded.hash, returnsAllRuns: returnsAllRuns(graph) };
  }

  async start(runs: readonly WorkflowRun[]): Promise<ExecutionId[]> {
    const { calledExecutions, queueGauge, followUps } = this.#options;
    const children = await calledWorkflows(runs, this.#scrubber);
    const full = await untilAvailable(() => queueGauge.full(), this.#signal);
    // Not repeated: after a lost reply, the executions may exist.
    const started = await calledExecutions.start(this.#parent.executionId, children, full);
    for (const { projectId } of started) queueGauge.note(projectId);
    await followUps.enqueue(started.map(({ executionId }) => ({ executionId, attempt: 1 })));
    return started.map(({ executionId }) => executionId);
  }

  #assertDepth(): void {
    if (this.#parent.callDepth < maxCallDepth) return;
    const description = 'A workflow that calls itself, directly or not, needs a way to end.';
    const message = `workflows call each other deeper than ${maxCallDepth} levels`;
    throw new NodeOperationError(message, { description }, 'WORKFLOW_NOT_CALLABLE');
  }
}

function notCallable(message: string, description: string): NodeOperationError {
  return new NodeOperationError(message, { description }, 'WORKFLOW_NOT_CALLABLE');
}

/** Checks the shape only; its nodes are checked when it runs. */
function toGraph({ name, nodes, connections, settings }: JsonObject): GraphContent {
  const isNode = (node: unknown) => isJsonObject(node) && typeof node['name'] === 'string' && typeof node['type'] === 'string';
  if (!Array.isArray(nodes) || !nodes.every(isNode) || !isJsonObject(connections ?? {})) {
    const description = 'A workflow has "nodes", each with "name" and "type", and "connections".';
    throw new NodeOperationError('the JSON is not a workflow', { description }, 'WORKFLOW_NOT_CALLABLE');
  }
  const placed = nodes.map((node) => ({ position: [0, 0], parameters: {}, ...(node as JsonObject) }));
  return {
    name: typeof name === 'string' ? name : 'sub-workflow',
    nodes: placed as unknown as WorkflowGraph['nodes'],
    connections: (connections ?? {}) as unknown as WorkflowGraph['connections'],
    ...(isJsonObject(settings) && { settings }),
  };
}

/** Old versions of the trigger may request the output of all runs of the last node. */
function returnsAllRuns({ nodes }: Pick<WorkflowGraph, 'nodes'>): boolean {
  return nodes.some(
    ({ type, typeVersion = 1, parameters }) =>
      /\.execute-?workflow-?trigger$/i.test(type) && typeVersion < 1.2 && parameters['returnOutput'] === 'allRuns',
  );
}
