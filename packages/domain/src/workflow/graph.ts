import { ownProperty } from '../json/json.ts';
import type { Connection, Connections, WorkflowGraph, WorkflowNode } from './workflow.ts';

/** An incoming connection of a node. */
export interface IncomingConnection {
  /** Source node. */
  node: string;
  /** Output of the source. */
  output: number;
  /** Input of the node. */
  input: number;
}

/**
 * A workflow's graph, indexed for traversal of `main` connections. Dangling connections are
 * omitted; names are `Map` keys, because users choose them. Other connection types attach
 * sub-nodes. Built once per version; immutable.
 */
export class GraphIndex {
  readonly nodes: ReadonlyMap<string, WorkflowNode>;
  readonly #outgoing = new Map<string, readonly (readonly Connection[])[]>();
  readonly #incoming = new Map<string, IncomingConnection[]>();
  /** Sub-nodes and their input, by their node and the type of the connection. */
  readonly #attached = new Map<string, Map<string, Map<string, number>>>();
  readonly #subNodes = new Set<string>();
  /** Results of `modelRunsOf`, cached because a graph's names may form one long chain. */
  readonly #modelRuns = new Map<string, string>();

  constructor(graph: Pick<WorkflowGraph, 'nodes' | 'connections'>) {
    this.nodes = new Map(graph.nodes.map((node) => [node.name, node]));
    for (const name of this.nodes.keys()) {
      const outputs = ownProperty(ownProperty(graph.connections, name) ?? {}, 'main') ?? [];
      const targets = outputs.map((list) => (list ?? []).filter((c) => c.type === 'main' && this.nodes.has(c.node)));
      this.#outgoing.set(name, targets);
      targets.forEach((list, output) => {
        for (const target of list) {
          const incoming = this.#incoming.get(target.node) ?? [];
          incoming.push({ node: name, output, input: target.index });
          this.#incoming.set(target.node, incoming);
        }
      });
      this.#attach(name, ownProperty(graph.connections, name) ?? {});
    }
  }

  #attach(name: string, outputs: Connections[string]): void {
    const passesItemsOn = this.outgoing(name).some((list) => list.length > 0);
    for (const [type, lists] of Object.entries(outputs)) {
      if (type === 'main') continue;
      const targets = lists.flatMap((list) => list ?? []).filter((c) => this.nodes.has(c.node));
      for (const { node, index } of targets) {
        const inputs = this.#subNodesOf(node, type);
        inputs.set(name, Math.min(index, inputs.get(name) ?? index));
      }
      if (targets.length > 0 && !passesItemsOn) this.#subNodes.add(name);
    }
  }

  #subNodesOf(name: string, type: string): Map<string, number> {
    const byType = this.#attached.get(name) ?? new Map<string, Map<string, number>>();
    const inputs = byType.get(type) ?? new Map<string, number>();
    this.#attached.set(name, byType.set(type, inputs));
    return inputs;
  }

  /**
   * Names of the nodes attached to a node by connections of a type other than `main`, each once. In
   * the order of their inputs: a model at the second input is the fallback.
   */
  attached(name: string, type: string): string[] {
    const inputs = this.#attached.get(name)?.get(type) ?? new Map<string, number>();
    return [...inputs].sort(([, a], [, b]) => a - b).map(([node]) => node);
  }

  /** Types, other than `main`, of a node's incoming connections. */
  attachedTypes(name: string): string[] {
    return [...(this.#attached.get(name)?.keys() ?? [])];
  }

  /** Sub-nodes of the given nodes, including nested sub-nodes. */
  usedBy(names: Iterable<string>): Set<string> {
    const nameSet = new Set(names);
    const all = this.#closure(nameSet, (name) => this.attachedTypes(name).flatMap((type) => this.attached(name, type)));
    return new Set([...all].filter((name) => !nameSet.has(name)));
  }

  /**
   * Whether a node is only attached to others and does not pass on items: it has no runs of its
   * own.
   */
  isSubNode(name: string): boolean {
    return this.#subNodes.has(name);
  }

  /** Name for the node runs that record a node's own model calls. No node has this name. */
  modelRunsOf(name: string): string {
    const cached = this.#modelRuns.get(name);
    if (cached !== undefined) return cached;
    const next = `${name} (model)`;
    const runs = this.nodes.has(next) ? this.modelRunsOf(next) : next;
    this.#modelRuns.set(name, runs);
    return runs;
  }

  /** A node's targets per output. */
  outgoing(name: string): readonly (readonly Connection[])[] {
    return this.#outgoing.get(name) ?? [];
  }

  incoming(name: string): readonly IncomingConnection[] {
    return this.#incoming.get(name) ?? [];
  }

  /** The given nodes and all nodes upstream. */
  ancestorsOf(names: Iterable<string>): Set<string> {
    return this.#closure(names, (name) => this.incoming(name).map((c) => c.node));
  }

  /** The given nodes and all nodes downstream. */
  descendantsOf(names: Iterable<string>): Set<string> {
    return this.#closure(names, (name) => this.outgoing(name).flatMap((list) => list.map((c) => c.node)));
  }

  /** The nodes before or after a node. Empty for an unknown name. */
  relativesOf(name: string, side: 'before' | 'after'): WorkflowNode[] {
    const names = side === 'before' ? this.ancestorsOf([name]) : this.descendantsOf([name]);
    names.delete(name);
    return [...names].flatMap((one) => this.nodes.get(one) ?? []);
  }

  /**
   * The output of a node that is on the shortest path to another node; `undefined` if there is no
   * path. Among equally short paths, the path into the first input counts.
   */
  outputTo(name: string, target: string): number | undefined {
    const seen = new Set<string>();
    for (let nearest = [target]; nearest.length > 0; ) {
      const incoming = nearest.flatMap((node) => [...this.incoming(node)].sort((a, b) => a.input - b.input));
      const connection = incoming.find(({ node }) => node === name);
      if (connection) return connection.output;
      nearest = [...new Set(incoming.map(({ node }) => node))].filter((node) => !seen.has(node));
      for (const node of nearest) seen.add(node);
    }
    return undefined;
  }

  #closure(names: Iterable<string>, next: (name: string) => string[]): Set<string> {
    const visited = new Set<string>();
    const open = [...names].filter((name) => this.nodes.has(name));
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (visited.has(name)) continue;
      visited.add(name);
      for (const one of next(name)) open.push(one);
    }
    return visited;
  }
}
