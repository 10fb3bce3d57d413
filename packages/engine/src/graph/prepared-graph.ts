import {
  GraphIndex,
  isJsonObject,
  isOwnType,
  type JsonObject,
  ownProperty,
  TimeSlice,
  type WorkflowGraph,
  type WorkflowNode,
} from '@sluice/domain';
import {
  type ConnectionType,
  defaultVersionOf,
  type NodeType,
  nodeTypeOfVersion,
  type ParameterProblem,
  reviewParameters,
  withDefaults,
} from '@sluice/node-sdk';
import type { CompiledParameters, Sandbox } from '@sluice/sandbox';
import { UnknownNodeTypeError, UnknownNodeTypeVersionError } from '../errors.ts';
import type { EnginePorts } from '../ports.ts';
import { applyPropertyMarks } from './apply-property-marks.ts';
import { graphDepths } from './graph-depth.ts';

/** An edge of the graph, as the walk follows it. */
export interface Edge {
  /** Output index of the source node. */
  output: number;
  target: PreparedNode;
  /** Input index of the target node. */
  input: number;
}

/** Problems in the parameters of a node. */
interface ParameterCheck {
  errors: readonly ParameterProblem[];
  hints: readonly ParameterProblem[];
  /** Parameters to check in each run, because expressions return their objects or lists. */
  containers: ReadonlySet<string>;
}

/** A node with all data that stays the same between runs. */
export class PreparedNode {
  readonly node: WorkflowNode;
  readonly name: string;
  /** The type that implements the node; `undefined` if it is not installed. */
  readonly type: NodeType | undefined;
  /** Steps from the start of the graph (`graphDepths`). */
  depth = 0;
  /** Inputs that the type describes or that are connected. */
  inputCount = 0;
  /** Inputs that a connection leads to, in ascending order. */
  connectedInputs: readonly number[] = [];
  /** Outgoing edges in the order in which the branches are walked. */
  edges: readonly Edge[] = [];
  /** The node's version, or else the default of its type. The type may lack that version. */
  readonly typeVersion: number;
  readonly #sandbox: Sandbox;
  #compiled: CompiledParameters | undefined;
  readonly #compiledParts = new Map<string, CompiledParameters>();
  readonly #compiledTexts = new Map<string, CompiledParameters>();
  readonly #outputsOf = new Map<string, number>();
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

  /** The parameters, compiled on first use. */
  get compiled(): CompiledParameters {
    this.#compiled ??= this.#sandbox.compile(applyPropertyMarks(this.node.parameters, this.type?.description.properties));
    return this.#compiled;
  }

  /**
   * The parameters visible to expressions: as stored, plus the version's defaults. Computed on
   * first use.
   */
  get shownParameters(): JsonObject {
    const { parameters } = this.node;
    this.#shownParameters ??= this.type
      ? withDefaults(this.type.description.properties, parameters, this.typeVersion)
      : parameters;
    return this.#shownParameters;
  }

  /** The node visible to expressions. One object for all runs: expressions read it often. */
  get shownNode(): WorkflowNode {
    this.#shownNode ??= { ...this.node, parameters: this.shownParameters };
    return this.#shownNode;
  }

  /**
   * Problems in the parameters: `errors` stop the node from running; `hints` appear with its run.
   * Types of installed packages only get hints, because their code may read more than they
   * describe.
   */
  get parameterCheck(): ParameterCheck {
    this.#parameterCheck ??= this.#checkParameters();
    return this.#parameterCheck;
  }

  #checkParameters(): ParameterCheck {
    if (!this.type) return { errors: [], hints: [], containers: new Set() };
    const isOwn = isOwnType(this.node.type);
    const { problems, containers } = reviewParameters(this.type, this.node.parameters, this.typeVersion);
    const isError = ({ kind }: ParameterProblem) => kind === 'invalid' && isOwn;
    return {
      errors: problems.filter(isError),
      hints: problems.filter((problem) => !isError(problem)),
      containers: isOwn ? containers : new Set(),
    };
  }

  /** The value of the parameters at a dotted path. */
  compiledPart(path: string): CompiledParameters {
    const compiled = this.#compiledParts.get(path) ?? this.#sandbox.compile(partOf(this.node.parameters, path.split('.')));
    this.#compiledParts.set(path, compiled);
    return compiled;
  }

  /** A string of the type, compiled as a parameter `text`. Types have only a few such strings. */
  compiledText(text: string): CompiledParameters {
    const compiled = this.#compiledTexts.get(text) ?? this.#sandbox.compile({ text });
    this.#compiledTexts.set(text, compiled);
    return compiled;
  }

  /** The output of another node that leads here; 0 if there is no such output. */
  outputOf(nodeName: string, index: GraphIndex): number {
    const output = this.#outputsOf.get(nodeName) ?? index.outputTo(nodeName, this.name) ?? 0;
    this.#outputsOf.set(nodeName, output);
    return output;
  }

  /**
   * Number of main outputs (one for an unknown type), without the error output that follows them.
   */
  get outputCount(): number {
    this.#outputCount ??= this.#outputs().filter((output) => output === 'main').length;
    return this.#outputCount;
  }

  #outputs(): readonly ConnectionType[] {
    if (!this.type) return ['main'];
    return this.type.outputs?.(this.node.parameters, this.typeVersion) ?? this.type.description.outputs;
  }
}

/**
 * Finds the type that implements a node in its version. Throws `UnknownNodeTypeError` or
 * `UnknownNodeTypeVersionError`.
 */
export function implementationOf({ node, type, typeVersion }: PreparedNode): { type: NodeType; typeVersion: number } {
  if (!type) throw new UnknownNodeTypeError(node.name, node.type);
  const { version } = type.description;
  if (![version].flat().includes(typeVersion)) {
    throw new UnknownNodeTypeVersionError(node.name, node.type, typeVersion, version);
  }
  return { type, typeVersion };
}

/** The part of the parameters at a path, in place; an empty object if the path does not exist. */
function partOf(parameters: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  const value = ownProperty(parameters, name);
  if (value === undefined) return {};
  if (rest.length === 0) return { [name]: value };
  return isJsonObject(value) ? { [name]: partOf(value, rest) } : {};
}

/** A graph prepared for the walk, once for all its runs. */
export class PreparedGraph {
  readonly graph: WorkflowGraph;
  readonly index: GraphIndex;
  readonly nodes: ReadonlyMap<string, PreparedNode>;
  readonly isDepthFirst: boolean;

  private constructor(graph: WorkflowGraph, { nodeTypes, sandbox }: EnginePorts) {
    this.graph = graph;
    this.index = new GraphIndex(graph);
    this.isDepthFirst = graph.settings?.executionOrder === 'v1';
    this.nodes = new Map(
      [...this.index.nodes].map(([name, node]) => [name, new PreparedNode(node, nodeTypes.find(node.type), sandbox)]),
    );
  }

  /** Prepares a graph in time slices: it may have 5,000 nodes and 100,000 connections. */
  static async of(graph: WorkflowGraph, ports: EnginePorts): Promise<PreparedGraph> {
    const slice = new TimeSlice();
    const prepared = new PreparedGraph(graph, ports);
    if (slice.isOver) await slice.next();
    const depths = graphDepths(prepared.index);
    for (const node of prepared.nodes.values()) {
      if (slice.isOver) await slice.next();
      node.depth = depths.get(node.name) ?? 0;
      node.connectedInputs = prepared.#connectedInputsOf(node);
      node.inputCount = inputCountOf(node);
      node.edges = prepared.#edgesOf(node.name);
    }
    if (slice.isOver) await slice.next();
    return prepared;
  }

  /** Sorts nodes in branch order: by position if depth-first, as given if breadth-first. */
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

const preparedByPorts = new WeakMap<EnginePorts, WeakMap<WorkflowGraph, Promise<PreparedGraph>>>();

/**
 * Prepares a graph. The result is cached for the same two objects, so callers that cache graphs
 * prepare each graph once. A failure is not cached: the next call may succeed.
 */
export function prepareGraph(graph: WorkflowGraph, ports: EnginePorts): Promise<PreparedGraph> {
  const graphs = preparedByPorts.get(ports) ?? new WeakMap<WorkflowGraph, Promise<PreparedGraph>>();
  preparedByPorts.set(ports, graphs);
  const cached = graphs.get(graph);
  if (cached) return cached;
  const prepared = PreparedGraph.of(graph, ports);
  graphs.set(graph, prepared);
  prepared.catch(() => graphs.delete(graph));
  return prepared;
}

function inputCountOf({ type, connectedInputs }: PreparedNode): number {
  const described = type?.description.inputs.filter((input) => input === 'main').length ?? 0;
  return Math.max(described, (connectedInputs.at(-1) ?? -1) + 1);
}
