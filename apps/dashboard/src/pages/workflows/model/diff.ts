import { edgeId, edgesOf } from '../../../data/edges.ts';
import { type Difference, diffJson } from '../../../ui/diff-json.ts';
import type { Draft, GraphNode } from './graph.ts';

export type NodeChange = 'added' | 'removed' | 'changed' | 'moved' | 'same';

type Content = Pick<Draft, 'nodes' | 'connections'>;

export interface GraphDiff {
  /** All nodes of both versions by name. Paths of fields are within the node: `parameters.url`. */
  nodes: Map<string, { change: NodeChange; node: GraphNode; fields: Difference[] }>;
  /** Keys of connections. */
  addedEdges: Set<string>;
  removedEdges: Set<string>;
}

/** Compares two versions. Nodes with the same name are the same node. */
export function diffGraphs(before: Content, after: Content): GraphDiff {
  const [old, now] = [byName(before.nodes), byName(after.nodes)];
  const nodes: GraphDiff['nodes'] = new Map();
  for (const [name, node] of now) {
    const earlier = old.get(name);
    const fields = earlier ? diffJson(earlier, node, { root: '', limit: Number.POSITIVE_INFINITY }) : [];
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

function kindOf(fields: readonly Difference[]): NodeChange {
  if (fields.length === 0) return 'same';
  return fields.every(({ path }) => path.startsWith('position')) ? 'moved' : 'changed';
}

/** A workflow as text, with sorted keys, so that equal versions have equal text. */
export function toText(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, one) =>
      typeof one === 'object' && one !== null && !Array.isArray(one)
        ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : one,
    2,
  );
}
