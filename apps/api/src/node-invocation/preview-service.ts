import type { ExpressionPreview, PreviewExpressionsBody } from '@sluice/contract';
import { type ExecutionRepository, type RunDataRepository, toRunData, type WorkflowRepository } from '@sluice/db';
import {
  errorMessage,
  type Item,
  invalidRequest,
  isAppError,
  type JsonObject,
  type NodeRun,
  type RunData,
  untilAborted,
  userKeyed,
  type WorkflowGraph,
  type WorkflowId,
} from '@sluice/domain';
import type { PreviewedParameter } from '@sluice/engine';
import type { Caller } from '../auth/caller.ts';
import { assertScopes } from '../auth/scopes.ts';
import { graphOfRequest } from '../graphs/to-graph.ts';
import type { NodeInvoker } from './node-invoker.ts';

interface PreviewServiceOptions {
  nodes: Pick<NodeInvoker, 'preview'>;
  workflows: Pick<WorkflowRepository, 'get'>;
  executions: Pick<ExecutionRepository, 'getShown'>;
  runData: Pick<RunDataRepository, 'listNodeRuns' | 'storedBytes'>;
  maxNodes: number;
}

/** Timeout of a preview, in milliseconds. */
const timeoutMs = 15_000;
/** Maximum size of stored execution data that a preview reads, in bytes. */
const maxStoredBytes = 8 * 1024 * 1024;
/** Maximum length of a value's JSON, in characters. */
const maxValueLength = 64 * 1024;
const maxMessageLength = 1_000;

/**
 * Evaluates the expressions of a node for an editor, with the data of an execution. Only the
 * sandbox evaluates them.
 */
export class PreviewService {
  readonly #options: PreviewServiceOptions;

  constructor(options: PreviewServiceOptions) {
    this.#options = options;
  }

  /**
   * Throws `ValidationError` for an unknown node, or for an execution of another workflow or with
   * too much data.
   */
  async preview(
    id: WorkflowId,
    body: PreviewExpressionsBody,
    caller: Caller,
    disconnected: AbortSignal,
  ): Promise<ExpressionPreview> {
    const { nodes, workflows, maxNodes } = this.#options;
    const { graph: stored, projectId, active } = await workflows.get(id, caller.access['project:viewer']);
    const source = body.workflowData ? graphOfRequest(body.workflowData, { name: stored.name, maxNodes }) : stored;
    const graph = withParameters(source, body);
    const previousRuns = await this.#runsOf(id, body.executionId, caller);
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([disconnected, deadline]);
    try {
      const preview = nodes.preview({
        workflow: { id, projectId, active },
        graph,
        nodeName: body.nodeName,
        runData: userKeyed([...Object.entries(pinnedRuns(graph)), ...Object.entries(previousRuns.runData)]),
        execution: previousRuns.execution,
        itemIndex: body.itemIndex,
        signal,
        // Without `$vars` and `$env`, a key that may only read cannot use an expression to read
        // them.
        blind: !caller.scopes.has('workflow:execute'),
      });
      const { itemCount, parameters } = await untilAborted(preview, signal);
      return { itemCount, expressions: parameters.map(toView) };
    } catch (error) {
      disconnected.throwIfAborted();
      if (deadline.aborted) throw invalidRequest('/parameters', `no result within ${timeoutMs / 1000} seconds`);
      throw error;
    }
  }

  async #runsOf(workflowId: WorkflowId, executionId: string | undefined, caller: Caller) {
    if (executionId === undefined) return { runData: {}, execution: { id: '', mode: 'manual' as const } };
    const { executions, runData } = this.#options;
    assertScopes(caller.scopes, ['execution:read'], 'the key may not read executions');
    const { id, mode, ...execution } = await executions.getShown(executionId, caller.access['project:viewer']);
    if (execution.workflowId !== workflowId) throw invalidRequest('/executionId', 'is an execution of another workflow');
    if ((await runData.storedBytes(id)) > maxStoredBytes)
      throw invalidRequest('/executionId', 'has too much data for a preview');
    return { ...toRunData(await runData.listNodeRuns(id)), execution: { id, mode } };
  }
}

function withParameters(graph: WorkflowGraph, { nodeName, parameters }: PreviewExpressionsBody): WorkflowGraph {
  if (!graph.nodes.some(({ name }) => name === nodeName)) throw invalidRequest('/nodeName', 'no node has this name');
  if (!parameters) return graph;
  const nodes = graph.nodes.map((node) => (node.name === nodeName ? { ...node, parameters: parameters as JsonObject } : node));
  return { ...graph, nodes };
}

/** Pinned items are treated as a run of their node. */
function pinnedRuns({ pinData = {} }: WorkflowGraph): RunData {
  return userKeyed(Object.entries(pinData).map(([name, items]) => [name, [runWith(items as Item[])]]));
}

function runWith(items: Item[]): NodeRun {
  return { startTime: 0, executionTime: 0, executionStatus: 'success', source: [], data: { main: [items] } };
}

function toView({ path, value, error }: PreviewedParameter): ExpressionPreview['expressions'][number] {
  if (error !== undefined) {
    const message = errorMessage(error).slice(0, maxMessageLength);
    return { path, error: { message, ...(isAppError(error) && { code: error.code }) } };
  }
  if (value === undefined) return { path };
  return JSON.stringify(value).length > maxValueLength ? { path, tooLarge: true } : { path, value };
}
