import { ownProperty } from './json.ts';
import type { Connection, WorkflowGraph, WorkflowNode } from './workflow.ts';

/** An edge that arrives at a node, seen from the node. */
export interface IncomingConnection {
  /** Source node. */
  node: string;
  /** Output of the source. */
  output: number;
  /** Input of the node itself. */
  input: number;
}

/**
 * A workflow's graph, indexed for walking: `main` connections only, dangling ones left out, names in `Map`s (they are the
 * users'). Built once per version; immutable.
 */
export class GraphIndex {
  readonly nodes: ReadonlyMap<string, WorkflowNode>;
  readonly #outgoing = new Map<string, readonly (readonly Connection[])[]>();
  readonly #incoming = new Map<string, IncomingConnection[]>();

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
    }
  }

  /** Targets per output of a node. */
  outgoing(name: string): readonly (readonly Connection[])[] {
    return this.#outgoing.get(name) ?? [];
  }

  incoming(name: string): readonly IncomingConnection[] {
    return this.#incoming.get(name) ?? [];
  }

  /** The given nodes and all that lie before them. */
  ancestorsOf(names: Iterable<string>): Set<string> {
    return this.#closure(names, (name) => this.incoming(name).map((c) => c.node));
  }

  /** The given nodes and all that lie behind them. */
  descendantsOf(names: Iterable<string>): Set<string> {
    return this.#closure(names, (name) => this.outgoing(name).flatMap((list) => list.map((c) => c.node)));
  }

  #closure(names: Iterable<string>, next: (name: string) => string[]): Set<string> {
    const found = new Set<string>();
    const open = [...names].filter((name) => this.nodes.has(name));
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (found.has(name)) continue;
      found.add(name);
      open.push(...next(name));
    }
    return found;
  }
}
