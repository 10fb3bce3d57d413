import type { Draft, GraphNode } from './graph.ts';
import { edgeId, edgesOf } from './graph.ts';

export type NodeChange = 'added' | 'removed' | 'changed' | 'moved' | 'same';

type Content = Pick<Draft, 'nodes' | 'connections'>;

export interface GraphDiff {
  /** All nodes of both versions by name. */
  nodes: Map<string, { change: NodeChange; node: GraphNode; fields: FieldChange[] }>;
  /** Keys of connections. */
  addedEdges: Set<string>;
  removedEdges: Set<string>;
}

interface FieldChange {
  /** Dotted path in the node, such as `parameters.url`. */
  path: string;
  before: unknown;
  after: unknown;
}

/** Compares two versions. Nodes with the same name are the same node. */
export function diffGraphs(before: Content, after: Content): GraphDiff {
  const [old, now] = [byName(before.nodes), byName(after.nodes)];
  const nodes: GraphDiff['nodes'] = new Map();
  for (const [name, node] of now) {
    const earlier = old.get(name);
    const fields = earlier ? fieldChanges(earlier, node) : [];
    nodes.set(name, { change: earlier ? kindOf(fields) : 'added', node, fields });
  }
  for (const [name, node] of old) if (!now.has(name)) nodes.set(name, { change: 'removed', node, fields: [] });
  const [oldEdges, newEdges] = [edgeIds(before), edgeIds(after)];
  return {
    nodes,
    addedEdges: new Set(newEdges.filter((id) => !oldEdges.includes(id))),
    removedEdges: new Set(oldEdges.filter((id) => !newEdges.includes(id))),
  };
}

const edgeIds = ({ connections }: Content) => edgesOf(connections).map(edgeId);
const byName = (nodes: readonly GraphNode[]) => new Map(nodes.map((node) => [node.name, node]));

function kindOf(fields: readonly FieldChange[]): NodeChange {
  if (fields.length === 0) return 'same';
  return fields.every(({ path }) => path.startsWith('position')) ? 'moved' : 'changed';
}

/** The leaves that differ. */
export function fieldChanges(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    return [{ path, before, after }];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => fieldChanges(before[key], after[key], path === '' ? key : `${path}.${key}`));
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** A workflow as text, with sorted keys, so that equal versions have equal text. */
export function toText(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, one) =>
      isContainer(one) && !Array.isArray(one)
        ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : one,
    2,
  );
}
