import { GraphIndex, type JsonObject, ownProperty, type WorkflowGraph, type WorkflowNode } from '@sluice/domain';
import type { ConnectionType, NodeType, NodeTypeDescription } from '@sluice/node-sdk';
import type { CompiledParameters, Sandbox } from '@sluice/sandbox';
import { graphDepths } from './graph-depth.ts';
import type { EnginePorts } from './ports.ts';
import { planStart, type StartPlan } from './start-plan.ts';

/** An edge of the graph as the walk follows it. */
export interface Edge {
  /** Output of the node that it leaves. */
  output: number;
  target: PreparedNode;
  /** Input of the target. */
  input: number;
}

/** A node with all that does not change from run to run. */
export class PreparedNode {
  readonly node: WorkflowNode;
  readonly name: string;
  /** `undefined`: nobody ships the type. */
  readonly type: NodeType | undefined;
  /** Steps from the start of the graph (`graphDepths`). */
  depth = 0;
  /** Inputs that the type describes or that are connected. */
  inputCount = 0;
  /** Where its items go, in the order in which the branches are walked. */
  edges: readonly Edge[] = [];
  /** What the node says, or the default of its type; the type need not have it. */
  readonly typeVersion: number;
  readonly #sandbox: Sandbox;
  #compiled: CompiledParameters | undefined;
  #outputCount: number | undefined;

  constructor(node: WorkflowNode, type: NodeType | undefined, sandbox: Sandbox) {
    this.node = node;
    this.name = node.name;
    this.type = type;
    this.typeVersion = node.typeVersion ?? (type ? defaultVersion(type.description) : 1);
    this.#sandbox = sandbox;
  }

  /** Its parameters, compiled at first use. */
  get compiled(): CompiledParameters {
    this.#compiled ??= this.#sandbox.compile(withTemplates(this.node.parameters, this.type));
    return this.#compiled;
  }

  /** Main outputs of its own; the error output, where it has one, comes after them. */
  get outputCount(): number {
    this.#outputCount ??= this.#outputs().filter((output) => output === 'main').length;
    return this.#outputCount;
  }

  #outputs(): readonly ConnectionType[] {
    if (!this.type) return [];
    return this.type.outputs?.(this.node.parameters, this.typeVersion) ?? this.type.description.outputs;
  }
}

function defaultVersion({ version, defaultVersion: chosen }: NodeTypeDescription): number {
  return chosen ?? Math.max(...[version].flat());
}

/** Texts in which `{{ }}` always counts, marked as the expressions they are. */
function withTemplates(parameters: JsonObject, type: NodeType | undefined): JsonObject {
  const marked = (type?.description.properties ?? []).flatMap(({ name, isTemplate }) => {
    const text = isTemplate ? ownProperty(parameters, name) : undefined;
    return typeof text === 'string' && !text.startsWith('=') ? [[name, `=${text}`] as const] : [];
  });
  return marked.length > 0 ? { ...parameters, ...Object.fromEntries(marked) } : parameters;
}

/** A graph made ready to be walked, once for all runs of it. */
export class PreparedGraph {
  readonly graph: WorkflowGraph;
  readonly index: GraphIndex;
  readonly nodes: ReadonlyMap<string, PreparedNode>;
  readonly isDepthFirst: boolean;
  #defaultStart: StartPlan | undefined;

  constructor(graph: WorkflowGraph, { nodeTypes, sandbox }: EnginePorts) {
    this.graph = graph;
    this.index = new GraphIndex(graph);
    this.isDepthFirst = graph.settings?.executionOrder === 'v1';
    this.nodes = new Map(
      [...this.index.nodes].map(([name, node]) => [name, new PreparedNode(node, nodeTypes.find(node.type), sandbox)]),
    );
    const depths = graphDepths(this.index);
    for (const node of this.nodes.values()) {
      node.depth = depths.get(node.name) ?? 0;
      node.inputCount = this.#inputCountOf(node);
      node.edges = this.#edgesOf(node.name);
    }
  }

  /** Where a run begins that asks for nothing special. */
  get defaultStart(): StartPlan {
    this.#defaultStart ??= planStart(this, {});
    return this.#defaultStart;
  }

  /** The given nodes in the order in which branches are walked: by position depth-first, as they come breadth-first. */
  inWalkOrder(nodes: Iterable<PreparedNode>): PreparedNode[] {
    return this.isDepthFirst ? [...nodes].sort(byPosition) : [...nodes];
  }

  #inputCountOf({ name, type }: PreparedNode): number {
    const described = type?.description.inputs.filter((input) => input === 'main').length ?? 0;
    return this.index.incoming(name).reduce((count, { input }) => Math.max(count, input + 1), described);
  }

  #edgesOf(name: string): Edge[] {
    const edges = this.index.outgoing(name).flatMap((targets, output) =>
      targets.flatMap(({ node, index }) => {
        const target = this.nodes.get(node);
        return target ? [{ output, target, input: index }] : [];
      }),
    );
    return this.isDepthFirst ? edges.sort((a, b) => byPosition(a.target, b.target)) : edges;
  }
}

/** Top to bottom, then left to right. */
function byPosition(a: PreparedNode, b: PreparedNode): number {
  const [ax, ay] = a.node.position;
  const [bx, by] = b.node.position;
  return ay - by || ax - bx;
}

const preparedByPorts = new WeakMap<EnginePorts, WeakMap<WorkflowGraph, PreparedGraph>>();

/** The graph made ready; the same answer for the same two objects, so that callers who cache graphs prepare each once. */
export function prepareGraph(graph: WorkflowGraph, ports: EnginePorts): PreparedGraph {
  const graphs = preparedByPorts.get(ports) ?? new WeakMap<WorkflowGraph, PreparedGraph>();
  preparedByPorts.set(ports, graphs);
  const prepared = graphs.get(graph) ?? new PreparedGraph(graph, ports);
  graphs.set(graph, prepared);
  return prepared;
}
