import type { Schemas } from '../../data/api.ts';
import { type Edge, edgesOf } from '../../data/edges.ts';

export type DrawnGraph = Pick<Schemas['WorkflowVersionContent'], 'nodes' | 'connections'>;

/** Size of a node in the graph, and the minimum distance between nodes. */
export const nodeSize = { width: 176, height: 52 };
const gap = 56;

/**
 * Positions of the nodes. The drawing is stretched until neighbors have room between them: authors
 * draw for editors with smaller nodes.
 */
export function layoutOf(nodes: DrawnGraph['nodes']): { x: number; y: number }[] {
  const points = nodes.map(({ position: [x = 0, y = 0] }) => ({ x, y }));
  const byX = points.toSorted((a, b) => a.x - b.x);
  let factor = 1;
  for (const [index, a] of byX.entries()) {
    const next = byX.slice(index + 1, index + 20).find((b) => Math.abs(a.y - b.y) < nodeSize.height && b.x - a.x > 40);
    if (next) factor = Math.max(factor, (nodeSize.width + gap) / (next.x - a.x));
  }
  const stretch = Math.min(factor, 2.5);
  return points.map(({ x, y }) => ({ x: x * stretch, y }));
}

/** Node name → connection types other than `main` that connect it as, and to, sub-nodes. */
export function subPortsOf(edges: readonly Edge[]): Map<string, { supplies: string[]; takes: string[] }> {
  const ports = new Map<string, { supplies: string[]; takes: string[] }>();
  const of = (name: string) => {
    const nodePorts = ports.get(name) ?? { supplies: [], takes: [] };
    ports.set(name, nodePorts);
    return nodePorts;
  };
  for (const { source, type, target } of edges) {
    if (type === 'main') continue;
    if (!of(source).supplies.includes(type)) of(source).supplies.push(type);
    if (!of(target).takes.includes(type)) of(target).takes.push(type);
  }
  return ports;
}

/** The connections between nodes that exist. */
export function drawnEdges({ nodes, connections }: DrawnGraph): Edge[] {
  const names = new Set(nodes.map(({ name }) => name));
  return edgesOf(connections).filter(({ source, target }) => names.has(source) && names.has(target));
}
