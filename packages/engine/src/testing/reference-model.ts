import type { NodeRunSource } from '@sluice/domain';

/** A graph as the property tests make it: node 0 starts; `fires[run][output]` tells whether a run of a node fires an output. */
export interface ModelGraph {
  order: 'v0' | 'v1';
  nodes: { x: number; y: number; fires: [boolean, boolean][] }[];
  edges: { from: number; output: number; to: number; input: number }[];
}

export interface ModelRun {
  nodeName: string;
  runIndex: number;
  source: (NodeRunSource | null)[];
}

/** A round of a node: who filled each of its inputs. */
type Round = Map<number, NodeRunSource>;

interface ModelTask {
  node: number;
  round: Round;
}

/**
 * Walks a graph in the plainest way: lists that are searched from the front, reachability by trial. Shares no code with the
 * engine.
 */
export function expectedRuns(graph: ModelGraph): ModelRun[] {
  const runs: ModelRun[] = [];
  const incomplete: ModelTask[] = [];
  let due: ModelTask[] = [{ node: 0, round: new Map() }];
  for (let next = due.shift(); next; next = due.shift() ?? takeIncomplete(graph, incomplete)) {
    const { node, round } = next;
    const runIndex = runs.filter(({ nodeName }) => nodeName === nameOf(node)).length;
    runs.push({ nodeName: nameOf(node), runIndex, source: asList(round) });
    const fired = edgesInOrder(graph, node).filter(({ output }) => graph.nodes[node]?.fires[runIndex]?.[output]);
    const came = fired.flatMap((edge) => fill(graph, incomplete, edge, sourceOf(node, runIndex, edge.output)));
    due = graph.order === 'v1' ? [...came, ...due] : [...due, ...came];
  }
  return runs;
}

/** Puts an arrival into the first round of the target that lacks it, or a new one; gives the round if that completed it. */
function fill(
  graph: ModelGraph,
  incomplete: ModelTask[],
  edge: ModelGraph['edges'][number],
  source: NodeRunSource,
): ModelTask[] {
  const open = incomplete.find(({ node, round }) => node === edge.to && !round.has(edge.input));
  const task = open ?? { node: edge.to, round: new Map() };
  task.round.set(edge.input, source);
  if (!open) incomplete.push(task);
  if (!inputsOf(graph, edge.to).every((input) => task.round.has(input))) return [];
  incomplete.splice(incomplete.indexOf(task), 1);
  return [task];
}

/** The first round of the node that is the fewest steps deep; of equals, the one whose oldest round is oldest. */
function takeIncomplete(graph: ModelGraph, incomplete: { node: number; round: Round }[]) {
  const depths = incomplete.map(({ node }) => depthOf(graph, node));
  const at = depths.indexOf(Math.min(...depths));
  return at < 0 ? undefined : incomplete.splice(at, 1)[0];
}

/** Most steps from anywhere to the node, a loop counting as one node. */
function depthOf(graph: ModelGraph, node: number): number {
  const loop = graph.nodes.map((_, i) => i).filter((i) => i === node || (leadsTo(graph, i, node) && leadsTo(graph, node, i)));
  const before = graph.edges.filter(({ from, to }) => loop.includes(to) && !loop.includes(from)).map(({ from }) => from);
  return Math.max(0, ...before.map((from) => depthOf(graph, from) + 1));
}

function leadsTo(graph: ModelGraph, from: number, to: number): boolean {
  const reached = new Set<number>();
  let edges = graph.edges.filter((edge) => edge.from === from);
  while (edges.length > 0) {
    for (const edge of edges) reached.add(edge.to);
    edges = graph.edges.filter((edge) => reached.has(edge.from) && !reached.has(edge.to));
  }
  return reached.has(to);
}

/** Inputs that something within reach of the start leads to. */
function inputsOf(graph: ModelGraph, node: number): number[] {
  return graph.edges.filter(({ from, to }) => to === node && (from === 0 || leadsTo(graph, 0, from))).map(({ input }) => input);
}

function edgesInOrder({ order, nodes, edges }: ModelGraph, node: number): ModelGraph['edges'] {
  const leaving = [0, 1].flatMap((output) => edges.filter((edge) => edge.from === node && edge.output === output));
  if (order === 'v0') return leaving;
  const place = ({ to }: ModelGraph['edges'][number]) => (nodes[to]?.y ?? 0) * 1000 + (nodes[to]?.x ?? 0);
  return leaving.sort((a, b) => place(a) - place(b));
}

function sourceOf(node: number, runIndex: number, output: number): NodeRunSource {
  return {
    previousNode: nameOf(node),
    ...(output > 0 && { previousNodeOutput: output }),
    ...(runIndex > 0 && { previousNodeRun: runIndex }),
  };
}

function asList(round: Round): (NodeRunSource | null)[] {
  return Array.from(
    { length: Math.max(0, ...[...round.keys()].map((input) => input + 1)) },
    (_, input) => round.get(input) ?? null,
  );
}

function nameOf(node: number): string {
  return `N${node}`;
}
