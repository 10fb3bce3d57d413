import {
  GraphIndex,
  isJsonObject,
  isOwnType,
  type JsonObject,
  ownProperty,
  type WorkflowGraph,
  type WorkflowNode,
} from '@sluice/domain';
import {
  type ConnectionType,
  checkParameters,
  defaultVersionOf,
  type NodeType,
  nodeTypeOfVersion,
  type ParameterProblem,
  withDefaults,
} from '@sluice/node-sdk';
import type { CompiledParameters, Sandbox } from '@sluice/sandbox';
import { graphDepths } from './graph-depth.ts';
import { markedParameters } from './marked-parameters.ts';
import type { EnginePorts } from './ports.ts';

/** An edge of the graph as the walk follows it. */
export interface Edge {
  /** Output of the node that it leaves. */
  output: number;
  target: PreparedNode;
  /** Input of the target. */
  input: number;
}

/** Problems of the written parameters of a node. */
export interface ParameterCheck {
  errors: readonly ParameterProblem[];
  hints: readonly ParameterProblem[];
}

/** A node with all that does not change from run to run. */
export class PreparedNode {
  readonly node: WorkflowNode;
  readonly name: string;
  /** What implements its version; `undefined`: nobody ships the type. */
  readonly type: NodeType | undefined;
  /** Steps from the start of the graph (`graphDepths`). */
  depth = 0;
  /** Inputs that the type describes or that are connected. */
  inputCount = 0;
  /** Inputs that a connection leads to, in ascending order. */
  connectedInputs: readonly number[] = [];
  /** Where its items go, in the order in which the branches are walked. */
  edges: readonly Edge[] = [];
  /** What the node says, or the default of its type; the type need not have it. */
  readonly typeVersion: number;
  readonly #sandbox: Sandbox;
  #compiled: CompiledParameters | undefined;
  readonly #compiledParts = new Map<string, CompiledParameters>();
  readonly #compiledTexts = new Map<string, CompiledParameters>();
  #outputCount: number | undefined;
  #parameterCheck: ParameterCheck | undefined;
  #shownParameters: JsonObject | undefined;
  #shownNode: WorkflowNode | undefined;

  constructor(node: WorkflowNode, type: NodeType | undefined, sandbox: Sandbox) {
    this.node = node;
    this.name = node.name;
    this.typeVersion = node.typeVersion ?? (type ? defaultVersionOf(type.description) : 1);
    this.type = type && nodeTypeOfVersion(type, this.typeVersion);
    this.#sandbox = sandbox;
  }

  /** Its parameters, compiled at first use. */
  get compiled(): CompiledParameters {
    this.#compiled ??= this.#sandbox.compile(markedParameters(this.node.parameters, this.type?.description.properties));
    return this.#compiled;
  }

  /** Its parameters as expressions see them: as written, with the defaults of its version. Computed at first use. */
  get shownParameters(): JsonObject {
    const { parameters } = this.node;
    this.#shownParameters ??= this.type
      ? withDefaults(this.type.description.properties, parameters, this.typeVersion)
      : parameters;
    return this.#shownParameters;
  }

  /** The node as expressions see it. One object for all runs, since they ask for it often. */
  get shownNode(): WorkflowNode {
    this.#shownNode ??= { ...this.node, parameters: this.shownParameters };
    return this.#shownNode;
  }

  /**
   * Why its written parameters do not fit its type: `errors` keep it from running, `hints` are shown beside its
   * run. Types of installed packages only get hints, since their code may read more than they describe.
   */
  get parameterCheck(): ParameterCheck {
    this.#parameterCheck ??= this.#checkParameters();
    return this.#parameterCheck;
  }

  #checkParameters(): ParameterCheck {
    if (!this.type) return { errors: [], hints: [] };
    const { parameters, type } = this.node;
    const problems = checkParameters(this.type, parameters, this.typeVersion);
    const isError = ({ kind }: ParameterProblem) => kind === 'invalid' && isOwnType(type);
    return { errors: problems.filter(isError), hints: problems.filter((problem) => !isError(problem)) };
  }

  /** What its parameters hold at a dotted path, and nothing else of them. */
  compiledPart(path: string): CompiledParameters {
    const compiled = this.#compiledParts.get(path) ?? this.#sandbox.compile(partOf(this.node.parameters, path.split('.')));
    this.#compiledParts.set(path, compiled);
    return compiled;
  }

  /** A text that the type gives, as a parameter `text`. Types have a few of them. */
  compiledText(text: string): CompiledParameters {
    const compiled = this.#compiledTexts.get(text) ?? this.#sandbox.compile({ text });
    this.#compiledTexts.set(text, compiled);
    return compiled;
  }

  /** Main outputs of its own (one, where nobody knows the type); the error output, where it has one, comes after them. */
  get outputCount(): number {
    this.#outputCount ??= this.#outputs().filter((output) => output === 'main').length;
    return this.#outputCount;
  }

  #outputs(): readonly ConnectionType[] {
    if (!this.type) return ['main'];
    return this.type.outputs?.(this.node.parameters, this.typeVersion) ?? this.type.description.outputs;
  }
}

/** What parameters hold at a path, in its place; nothing where the path leads nowhere. */
function partOf(parameters: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  const value = ownProperty(parameters, name);
  if (value === undefined) return {};
  if (rest.length === 0) return { [name]: value };
  return isJsonObject(value) ? { [name]: partOf(value, rest) } : {};
}

/** A graph made ready to be walked, once for all runs of it. */
export class PreparedGraph {
  readonly graph: WorkflowGraph;
  readonly index: GraphIndex;
  readonly nodes: ReadonlyMap<string, PreparedNode>;
  readonly isDepthFirst: boolean;

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
      node.connectedInputs = this.#connectedInputsOf(node);
      node.inputCount = inputCountOf(node);
      node.edges = this.#edgesOf(node.name);
    }
  }

  /** The given nodes in the order in which branches are walked: by position depth-first, as they come breadth-first. */
  inWalkOrder(nodes: Iterable<PreparedNode>): PreparedNode[] {
    return this.isDepthFirst ? [...nodes].sort(byPosition) : [...nodes];
  }

  #connectedInputsOf({ name }: PreparedNode): number[] {
    return [...new Set(this.index.incoming(name).map(({ input }) => input))].sort((a, b) => a - b);
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

function inputCountOf({ type, connectedInputs }: PreparedNode): number {
  const described = type?.description.inputs.filter((input) => input === 'main').length ?? 0;
  return Math.max(described, (connectedInputs.at(-1) ?? -1) + 1);
}
