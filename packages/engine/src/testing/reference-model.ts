import type { NodeRunSource } from '@sluice/domain';

/** What a run of a node does: which of its two outputs it fires, or that it fails, which fires the error output after them. */
export type ModelFiring = [boolean, boolean] | 'fails';

/** A graph as the property tests make it. */
export interface ModelGraph {
  order: 'v0' | 'v1';
  /** Indices of the nodes that the run starts from. */
  starts: number[];
  /** Index of the node that the run ends at. */
  destination?: number | undefined;
  nodes: { x: number; y: number; fires: ModelFiring[] }[];
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
  let due: ModelTask[] = startsInOrder(graph).map((node) => ({ node, round: new Map() }));
  for (let next = due.shift(); next; next = due.shift()) {
    const { node, round } = next;
    const runIndex = runs.filter(({ nodeName }) => nodeName === nameOf(node)).length;
    runs.push({ nodeName: nameOf(node), runIndex, source: asList(round) });
    const fired = edgesInOrder(graph, node).filter((edge) => fires(graph, edge, runIndex));
    const came = fired.flatMap((edge) => fill(graph, incomplete, edge, sourceOf(node, runIndex, edge.output)));
    due = graph.order === 'v1' ? [...came, ...due] : [...due, ...came];
    if (due.length === 0) due = forced(graph, incomplete, runs);
    if (due.length === 0) due = incomplete.splice(firstIncomplete(graph, incomplete), 1);
  }
  return runs;
}

function startsInOrder({ order, starts, nodes }: ModelGraph): number[] {
  const distinct = [...new Set(starts)];
  return order === 'v0' ? distinct : distinct.sort((a, b) => placeOf(nodes[a]) - placeOf(nodes[b]));
}

function fires(graph: ModelGraph, edge: ModelGraph['edges'][number], runIndex: number): boolean {
  if (edge.from === graph.destination || !isReached(graph, edge.to)) return false;
  const firing = graph.nodes[edge.from]?.fires[runIndex];
  return firing === 'fails' ? edge.output === 2 : firing?.[edge.output] === true;
}

/** Whether the run may come to a node: behind a start and, where there is a destination, before it. */
function isReached(graph: ModelGraph, node: number): boolean {
  const { starts, destination } = graph;
  const isBehind = starts.some((start) => start === node || leadsTo(graph, start, node));
  return isBehind && (destination === undefined || destination === node || leadsTo(graph, node, destination));
}

/** In `v0`: nodes that never ran, behind one that did, from which nodes that never ran lead to an input that lacks its items. */
function forced(graph: ModelGraph, incomplete: ModelTask[], runs: readonly ModelRun[]): ModelTask[] {
  const task = incomplete[firstIncomplete(graph, incomplete)];
  const hasRun = (node: number) => runs.some(({ nodeName }) => nodeName === nameOf(node));
  if (graph.order === 'v1' || !task || hasRun(task.node)) return [];
  const isIdle = (node: number) => isReached(graph, node) && !hasRun(node) && !incomplete.some((other) => other.node === node);
  const isLacking = ({ to, input }: ModelGraph['edges'][number]) => to === task.node && !task.round.has(input);
  const idle = graph.nodes.map((_, node) => node).filter(isIdle);
  const betweenIdle = { ...graph, edges: graph.edges.filter(({ from, to }) => idle.includes(from) && idle.includes(to)) };
  const last = graph.edges.filter(isLacking).map(({ from }) => from);
  const leads = (node: number) => last.some((end) => idle.includes(end) && (end === node || leadsTo(betweenIdle, node, end)));
  const isBehindOneThatRan = (node: number) =>
    graph.edges.some(({ from, to }) => to === node && isReached(graph, from) && hasRun(from));
  return idle.filter((node) => leads(node) && isBehindOneThatRan(node)).map((node) => ({ node, round: new Map() }));
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

/** Where the first round is of the node that is the fewest steps deep; of equals, the one whose oldest round is oldest. */
function firstIncomplete(graph: ModelGraph, incomplete: readonly ModelTask[]): number {
  const depths = incomplete.map(({ node }) => depthOf(graph, node));
  const at = depths.indexOf(Math.min(...depths));
  return at < 0 ? incomplete.length : at;
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

/** Inputs that something within reach leads to. */
function inputsOf(graph: ModelGraph, node: number): number[] {
  return graph.edges.filter(({ from, to }) => to === node && isReached(graph, from)).map(({ input }) => input);
}

function edgesInOrder({ order, nodes, edges }: ModelGraph, node: number): ModelGraph['edges'] {
  const leaving = [0, 1, 2].flatMap((output) => edges.filter((edge) => edge.from === node && edge.output === output));
  if (order === 'v0') return leaving;
  return leaving.sort((a, b) => placeOf(nodes[a.to]) - placeOf(nodes[b.to]));
}

function placeOf({ x, y }: { x: number; y: number } = { x: 0, y: 0 }): number {
  return y * 1000 + x;
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
