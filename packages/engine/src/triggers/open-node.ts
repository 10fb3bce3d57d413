import { AppError, type JsonObject, type JsonValue, valueAt, type WorkflowGraph, type WorkflowNode } from '@sluice/domain';
import type { BinaryAccess, ExecuteContext, MethodContext, NodeLogger, NodeType } from '@sluice/node-sdk';
import type { EvaluationScope, ResolvedParameters } from '@sluice/sandbox';
import { implementationOf, type PreparedGraph, prepareGraph } from '../graph/prepared-graph.ts';
import type { ExecutionContext } from '../node/execution-context.ts';
import { NodeContext } from '../node/node-context.ts';
import { NodeInputs } from '../node/node-inputs.ts';
import { NodeScope } from '../node/node-scope.ts';
import { startTask } from '../node/node-task.ts';
import { RunState } from '../node/run-state.ts';
import { StaticDataView } from '../node/static-data-view.ts';
import type { CredentialProvider, EnginePorts, RunRequest } from '../ports.ts';
import { AiUsage } from '../sub-node-calls/ai-usage.ts';
import { SubRuns } from '../sub-node-calls/sub-runs.ts';
import type { EarlierRuns } from '../walk/earlier-runs.ts';

/** A node to call outside executions. */
export interface NodeRequest {
  workflow: { id: string; projectId: string; active: boolean };
  /** The graph of the node; visible to its expressions. */
  graph: WorkflowGraph;
  node: WorkflowNode;
  /**
   * The node's parameters if they are already resolved; they are treated as data. Absent: they are
   * resolved now.
   */
  resolved?: JsonObject;
  timezone: string;
  vars: EvaluationScope['vars'];
  env: EvaluationScope['env'];
  credentials: CredentialProvider;
  signal: AbortSignal;
  logger: NodeLogger;
}

/** A node that is ready to be called outside executions. */
export interface OpenedNode {
  readonly type: NodeType;
  readonly typeVersion: number;
  readonly node: WorkflowNode;
  readonly workflow: ExecuteContext['workflow'];
  /** Context as in a run with one empty item, for code that needs one. It has no files. */
  readonly context: ExecuteContext;
  /** All parameters, with expressions resolved. Throws like `MethodContext.parameter`. */
  parameters(): JsonObject;
}

/**
 * Resolves the parameters of a node that is called outside executions: by activation, an editor, or
 * a webhook request. The workflow, `$vars`, and `$env` are visible to expressions. Throws
 * `UNKNOWN_NODE_TYPE` and `UNKNOWN_NODE_TYPE_VERSION`.
 */
export async function openNode(ports: EnginePorts, request: NodeRequest): Promise<OpenedNode> {
  const { graph: source, node, signal, credentials, logger } = request;
  const graph = await prepareGraph(withoutPins(source), ports);
  const prepared = graph.nodes.get(node.name);
  if (!prepared) throw new TypeError(`the graph has no node "${node.name}"`);
  const { type, typeVersion } = implementationOf(prepared);
  const execution = contextOutsideOfRuns(ports, { ...request, graph }, { credentials, logger });
  const task = startTask(prepared);
  const inputs = new NodeInputs(task.inputs, false);
  const scope = new NodeScope(execution, task, inputs, { runIndex: 0, tryNumber: 1, nowMs: ports.now() });
  const parameters = request.resolved
    ? fixedParameters(request.resolved)
    : await ports.sandbox.resolve(prepared.compiled, scope, signal);
  const parts = { execution, task, inputs, scope, parameters, typeVersion, continueOnFail: false, logs: [] };
  return {
    type,
    typeVersion,
    node,
    workflow: { ...request.workflow, name: source.name, timezone: request.timezone },
    context: new NodeContext(parts),
    parameters: () => parameters.get('', 0) as JsonObject,
  };
}

const unpinned = new WeakMap<WorkflowGraph, WorkflowGraph>();

/** The same object for the same graph, so that opening many nodes prepares their graph once. */
function withoutPins(graph: WorkflowGraph): WorkflowGraph {
  const copy = unpinned.get(graph) ?? { ...graph, pinData: {} };
  unpinned.set(graph, copy);
  return copy;
}

function fixedParameters(values: JsonObject): ResolvedParameters {
  return { get: (path) => (path === '' ? values : valueAt(values, path)) };
}

/** The context that is passed to methods of a type. */
export function methodContext({ context }: Pick<OpenedNode, 'context'>): MethodContext {
  return {
    node: context.node,
    typeVersion: context.typeVersion,
    workflow: context.workflow,
    signal: context.signal,
    logger: context.logger,
    http: context.http,
    parameter: <T extends JsonValue>(path: string, fallback?: T) => context.parameter<T>(path, 0, fallback),
    credentials: (type) => context.credentials(type, 0),
    authentication: (type) => context.authentication(type, 0),
    evaluateText: (text, itemIndex, scope) => context.evaluateText(text, itemIndex, scope),
    relatives: (name, side) => context.relatives?.(name, side) ?? [],
  };
}

interface OutsideOfRuns extends Pick<NodeRequest, 'workflow' | 'timezone' | 'vars' | 'env' | 'signal'> {
  graph: PreparedGraph;
  /** Runs that are visible to expressions; default: no runs. */
  earlier?: EarlierRuns;
  execution?: EvaluationScope['execution'];
}

/** The context of a node that no execution runs. Default: without credentials and logs. */
export function contextOutsideOfRuns(
  ports: EnginePorts,
  { graph, earlier, execution: info = { id: '', mode: 'trigger' }, timezone, vars, env, signal, ...request }: OutsideOfRuns,
  { credentials, logger }: Pick<NodeRequest, 'credentials' | 'logger'> = { credentials: noCredentials, logger: silent },
): ExecutionContext {
  const workflow = { ...request.workflow, name: graph.graph.name };
  const run: RunRequest = {
    executionId: '',
    workflow,
    graph: graph.graph,
    mode: 'trigger',
    start: {},
    done: [],
    timezone,
    vars,
    env,
    recorder: { nodeFinished: () => undefined },
    credentials,
    binary: noFiles,
    signal,
    logger,
  };
  const state = new RunState(earlier);
  const aiUsage = new AiUsage({ done: [] });
  return {
    ports,
    request: run,
    graph,
    state,
    staticData: new StaticDataView(state, undefined),
    aiUsage,
    subRuns: new SubRuns({ recorder: run.recorder, now: ports.now, done: [], usage: aiUsage, credentials }),
    workflow: { ...workflow, timezone },
    info,
  };
}

const silent: NodeLogger = { debug() {}, info() {}, warn() {}, error() {} };

const noCredentials: CredentialProvider = { open: refuse, authentication: refuse, hide() {} };

/** Files belong to executions. */
const noFiles: BinaryAccess = {
  store: refuse,
  read: refuse,
  open: refuse,
};

async function refuse(): Promise<never> {
  throw new AppError({ code: 'NOT_SUPPORTED', message: 'files and credentials are not available outside executions' });
}
