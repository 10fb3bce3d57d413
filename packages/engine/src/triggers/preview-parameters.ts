import {
  type Item,
  invalidRequest,
  type JsonObject,
  type JsonValue,
  type NodeRun,
  type RunData,
  TimeSlice,
  type WorkflowGraph,
} from '@sluice/domain';
import type { EvaluationScope } from '@sluice/sandbox';
import { PreparedGraph, type PreparedNode } from '../graph/prepared-graph.ts';
import { NodeInputs } from '../node/node-inputs.ts';
import { NodeScope } from '../node/node-scope.ts';
import { type Arrival, ArrivedTask, startTask } from '../node/node-task.ts';
import type { EnginePorts } from '../ports.ts';
import { type EarlierRuns, indexedRuns, lastRuns, linkEarlierRuns } from '../walk/earlier-runs.ts';
import { contextOutsideOfRuns } from './open-node.ts';

/** Parameters to evaluate as a node of an execution would. */
export interface PreviewRequest {
  workflow: { id: string; projectId: string; active: boolean };
  /** Its node `nodeName` has the parameters to evaluate. */
  graph: WorkflowGraph;
  nodeName: string;
  /** Node runs whose data is visible to expressions; they may come from a client. */
  runData: RunData;
  execution: EvaluationScope['execution'];
  itemIndex: number;
  timezone: string;
  vars: EvaluationScope['vars'];
  env: EvaluationScope['env'];
  signal: AbortSignal;
}

/** The result of one expression. */
export interface PreviewedParameter {
  /** Dotted path in the parameters. */
  path: string;
  /** Absent: the expression has no value, or failed. */
  value?: JsonValue;
  error?: unknown;
}

export interface Preview {
  /** Items at the first input of the node. */
  itemCount: number;
  parameters: PreviewedParameter[];
}

/**
 * Evaluates each expression in the parameters of a node in the sandbox, for one item. The data at
 * the node's inputs is from its last run, or else from the last outputs of its predecessors. The
 * node does not run. Rejects with `InvalidNodeOutputError` for run data without valid items, and
 * with `ValidationError` for too many expressions.
 */
export async function previewParameters(ports: EnginePorts, request: PreviewRequest): Promise<Preview> {
  const { nodeName, itemIndex, signal } = request;
  const graph = await PreparedGraph.of({ ...request.graph, pinData: {} }, ports);
  const prepared = graph.nodes.get(nodeName);
  if (!prepared) throw new TypeError(`the graph has no node "${nodeName}"`);
  const earlier = await linkEarlierRuns(graph.index, request.runData, () => true);
  const arrivals = arrivalsOf(graph, prepared, earlier, request.runData[nodeName]?.at(-1));
  const task = arrivals.length > 0 ? new ArrivedTask(prepared, arrivals) : startTask(prepared);
  const inputs = new NodeInputs(task.inputs, prepared.node.executeOnce === true);
  await inputs.prepare();
  const execution = contextOutsideOfRuns(ports, { ...request, graph, earlier });
  const scope = new NodeScope(execution, task, inputs, { runIndex: 0, tryNumber: 1, nowMs: ports.now() }).forItem(
    itemIndex,
    undefined,
  );
  const itemCount = inputs.items(0).length;
  const paths = expressionPaths(prepared.node.parameters);
  const resolved = await ports.sandbox.resolve(ports.sandbox.compile(prepared.node.parameters), scope, signal);
  const slice = new TimeSlice();
  const parameters: PreviewedParameter[] = [];
  for (const path of paths) {
    parameters.push(previewed(path, () => resolved.get(path, itemIndex)));
    if (slice.isOver) await slice.next();
  }
  return { itemCount, parameters };
}

function previewed(path: string, read: () => JsonValue | undefined): PreviewedParameter {
  try {
    const value = read();
    return value === undefined ? { path } : { path, value };
  } catch (error) {
    return { path, error };
  }
}

function arrivalsOf(graph: PreparedGraph, { name }: PreparedNode, earlier: EarlierRuns, last: NodeRun | undefined): Arrival[] {
  const runOf = indexedRuns(earlier);
  const recorded = (last?.source ?? []).flatMap((source, input): Arrival[] => {
    const from = source && runOf(source.previousNode, source.previousNodeRun ?? 0);
    return from ? [arrival(from, source.previousNodeOutput ?? 0, input)] : [];
  });
  if (recorded.length > 0) return recorded;
  const lastRun = lastRuns(earlier);
  return graph.index.incoming(name).flatMap(({ node, output, input }): Arrival[] => {
    const from = lastRun(node, output);
    return from ? [arrival(from, output, input)] : [];
  });
}

function arrival(from: Arrival['source']['from'], output: number, input: number): Arrival {
  const items: readonly Item[] = from.outputs[output] ?? [];
  return { input, items, source: { from, output } };
}

/**
 * Maximum total length of all paths. The response repeats them, and a million strings may be nested
 * below names of several megabytes.
 */
const maxPathsLength = 1024 * 1024;
const pathsTooLong = `has strings that begin with "=" whose paths exceed ${maxPathsLength} characters; use fewer, or shorter names`;

/** Paths of the strings that are expressions. Throws `ValidationError` for too many. */
function expressionPaths(parameters: JsonObject): string[] {
  const paths: string[] = [];
  const names: string[] = [];
  let remaining = maxPathsLength;
  const collect = (value: JsonValue): void => {
    if (typeof value === 'string' && value.startsWith('=')) {
      remaining -= names.reduce((length, name) => length + name.length + 1, 0);
      if (remaining < 0) throw invalidRequest('/parameters', pathsTooLong);
      paths.push(names.join('.'));
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) {
        names.push(name);
        collect(part);
        names.pop();
      }
    }
  };
  collect(parameters);
  return paths;
}
