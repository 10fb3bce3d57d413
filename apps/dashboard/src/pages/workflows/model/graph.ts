import type { Schemas } from '../../../data/api.ts';
import { type Edge, edgeId, edgesOf } from '../../../data/edges.ts';
import { randomId } from '../../../data/ids.ts';
import { emptyRecord } from '../../../data/own-value.ts';

export type GraphNode = Schemas['Node'];

/** Changes of some members; `undefined` removes one. */
export type Changes<T> = { [Name in keyof T]?: T[Name] | undefined };
export type Connections = Schemas['Connections'];
export type PinData = NonNullable<Schemas['PinData']>;

/** The content of a version. Every edit returns a new draft. */
export interface Draft {
  name: string;
  nodes: readonly GraphNode[];
  connections: Connections;
  settings: Schemas['Settings'];
  pinData: PinData;
}

export interface Point {
  x: number;
  y: number;
}

const isSame = (a: Edge, b: Edge) => edgeId(a) === edgeId(b);

export function toConnections(edges: readonly Edge[]): Connections {
  const connections: Connections = emptyRecord();
  for (const { source, type, output, target, input } of edges) {
    const types = connections[source] ?? emptyRecord();
    connections[source] = types;
    const outputs = types[type] ?? [];
    types[type] = outputs;
    while (outputs.length <= output) outputs.push([]);
    outputs[output] = [...(outputs[output] ?? []), { node: target, type, index: input }];
  }
  return connections;
}

/** A name that no node has: `Code`, `Code 2`. */
export function freeName(nodes: readonly GraphNode[], baseName: string): string {
  const usedNames = new Set(nodes.map(({ name }) => name));
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? baseName : `${baseName} ${count}`;
    if (!usedNames.has(name)) return name;
  }
}

/** The nearest place at or below a point where no node is. */
export function freePlace(nodes: readonly GraphNode[], { x, y }: Point): Point {
  const isTaken = (at: number) =>
    nodes.some(({ position: [left = 0, top = 0] }) => Math.abs(left - x) < 180 && Math.abs(top - at) < 80);
  let at = y;
  while (isTaken(at)) at += 100;
  return { x, y: at };
}

export function addNode(draft: Draft, node: GraphNode): Draft {
  return { ...draft, nodes: [...draft.nodes, node] };
}

export function patchNode(draft: Draft, name: string, patch: Changes<GraphNode>): Draft {
  return {
    ...draft,
    nodes: draft.nodes.map((node) => (node.name === name ? withoutUndefined<GraphNode>({ ...node, ...patch }) : node)),
  };
}

/** A copy without the members that are `undefined`. */
export function withoutUndefined<T extends object>(members: Changes<T>): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

export function moveNodes(draft: Draft, places: ReadonlyMap<string, Point>): Draft {
  const nodes = draft.nodes.map((node) => {
    const place = places.get(node.name);
    return place ? { ...node, position: [Math.round(place.x), Math.round(place.y)] } : node;
  });
  return { ...draft, nodes };
}

/** Removes nodes with their connections and pinned data. */
export function removeNodes(draft: Draft, names: readonly string[]): Draft {
  const isGone = (name: string) => names.includes(name);
  const edges = edgesOf(draft.connections).filter(({ source, target }) => !isGone(source) && !isGone(target));
  return {
    ...draft,
    nodes: draft.nodes.filter(({ name }) => !isGone(name)),
    connections: toConnections(edges),
    pinData: Object.fromEntries(Object.entries(draft.pinData).filter(([name]) => !isGone(name))),
  };
}

/** Adds a connection unless it exists. */
export function connect(draft: Draft, edge: Edge): Draft {
  const edges = edgesOf(draft.connections);
  if (edges.some((existing) => isSame(existing, edge))) return draft;
  return { ...draft, connections: toConnections([...edges, edge]) };
}

export function disconnect(draft: Draft, removed: readonly Edge[]): Draft {
  const edges = edgesOf(draft.connections).filter((edge) => !removed.some((one) => isSame(one, edge)));
  return { ...draft, connections: toConnections(edges) };
}

/**
 * A copied node with its own webhook ID: two nodes must not listen at one URL. In imported
 * workflows, the path is often the ID and changes with it. A path that the author chose stays:
 * senders may know it.
 */
export function withOwnAddress(node: GraphNode): GraphNode {
  if (!('webhookId' in node)) return node;
  const fresh = { webhookId: randomId() };
  const hasIdAsPath = node.webhookId !== '' && node.parameters['path'] === node.webhookId;
  return { ...node, ...fresh, ...(hasIdAsPath && { parameters: { ...node.parameters, path: fresh.webhookId } }) };
}

/** Copies nodes with the connections between them. Returns the new names too. */
export function duplicateNodes(draft: Draft, names: readonly string[]): { draft: Draft; names: string[] } {
  const copies = new Map<string, string>();
  let next = draft;
  for (const node of draft.nodes.filter(({ name }) => names.includes(name))) {
    const name = freeName(next.nodes, node.name);
    const [x = 0, y = 0] = node.position;
    const copy = { ...withOwnAddress(structuredClone(node)), id: randomId(), name, position: [x + 40, y + 100] };
    copies.set(node.name, name);
    next = addNode(next, copy);
  }
  for (const edge of edgesOf(draft.connections)) {
    const [source, target] = [copies.get(edge.source), copies.get(edge.target)];
    if (source && target) next = connect(next, { ...edge, source, target });
  }
  return { draft: next, names: [...copies.values()] };
}

/** Sets the pinned items of a node; `undefined` removes them. */
export function pin(draft: Draft, name: string, items: PinData[string] | undefined): Draft {
  const { [name]: _before, ...others } = draft.pinData;
  return { ...draft, pinData: items === undefined ? others : { ...others, [name]: items } };
}
