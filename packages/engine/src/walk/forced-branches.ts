import type { PreparedGraph, PreparedNode } from '../graph/prepared-graph.ts';
import type { StartPlan } from '../graph/start-plan.ts';
import type { NodeTask } from '../node/node-task.ts';
import type { ItemSource, RunState } from '../node/run-state.ts';
import type { PendingTasks } from './pending-tasks.ts';
import type { WaitingInputs } from './waiting-inputs.ts';

interface WalkState {
  state: RunState;
  waiting: WaitingInputs;
  pending: PendingTasks;
}

/**
 * In the legacy order, a branch without items still runs if it has ended when the node that it
 * leads to starts to wait. For example, if both outputs of an If lead to a Merge, the branch that
 * was not taken runs as well. Authors of such workflows rely on this.
 *
 * Returns the first nodes of such branches to the empty inputs of `target`, each with one empty
 * item. The item represents the first item of `source`, for which `target` starts to wait, so
 * expressions find earlier nodes. The returned nodes have not run and directly follow a node that
 * has. Returns no nodes for an input that a due node may still reach, if `target` has already run,
 * as in a loop, or in the order `v1`.
 */
export function forcedTasks(
  graph: PreparedGraph,
  { reach }: StartPlan,
  { state, waiting, pending }: WalkState,
  { target, source }: { target: PreparedNode; source: ItemSource },
): NodeTask[] {
  const hasRun = (node: PreparedNode) => state.runsOf(node.name).length > 0;
  if (graph.isDepthFirst || hasRun(target)) return [];
  const sourcesOf = ({ name }: PreparedNode) =>
    graph.index.incoming(name).flatMap(({ node, input }) => {
      const before = reach.has(node) ? graph.nodes.get(node) : undefined;
      return before ? [{ node: before, input }] : [];
    });
  const isOpen = (node: PreparedNode) => !hasRun(node) && !waiting.has(node);
  const branchesTo = (ends: readonly PreparedNode[]) =>
    closure(ends.filter(isOpen), (node) => sourcesOf(node).flatMap((before) => (isOpen(before.node) ? [before.node] : [])));
  const firstOf = (branches: ReadonlySet<PreparedNode>) =>
    [...branches].filter((node) => sourcesOf(node).some((before) => hasRun(before.node)));
  const missing = sourcesOf(target).filter(({ input }) => !waiting.hasArrived(target, input));
  // All inputs at once: a walk for each of 1,000 inputs would take seconds.
  const branches = branchesTo(missing.map(({ node }) => node));
  const dueNodes = pending.nodes();
  const afterDue = closure(
    firstOf(branches).filter((node) => dueNodes.has(node)),
    ({ edges }) => edges.flatMap((edge) => (branches.has(edge.target) ? [edge.target] : [])),
  );
  const reachable = new Set(missing.flatMap(({ node, input }) => (afterDue.has(node) ? [input] : [])));
  const ends = missing.flatMap(({ node, input }) => (reachable.has(input) ? [] : [node]));
  const forced = new Set(firstOf(branchesTo(ends)));
  const nodes = [...graph.nodes.values()].filter((node) => forced.has(node));
  return nodes.map((node) => ({ node, inputs: [[{ json: {} }]], sources: [source] }));
}

/** The given nodes and every node that is reachable from them by `next`. */
function closure(
  starts: readonly PreparedNode[],
  next: (node: PreparedNode) => readonly PreparedNode[],
): ReadonlySet<PreparedNode> {
  const nodes = new Set(starts);
  // Iterating a set also visits elements that are added during the iteration.
  for (const node of nodes) for (const reached of next(node)) nodes.add(reached);
  return nodes;
}
