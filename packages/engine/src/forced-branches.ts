import type { NodeTask } from './node-task.ts';
import type { PendingTasks } from './pending-tasks.ts';
import type { PreparedGraph, PreparedNode } from './prepared-graph.ts';
import type { ItemSource, RunState } from './run-state.ts';
import type { StartPlan } from './start-plan.ts';
import type { WaitingInputs } from './waiting-inputs.ts';

interface WalkState {
  state: RunState;
  waiting: WaitingInputs;
  pending: PendingTasks;
}

/**
 * In the legacy order, a branch without items still runs if it has ended when the node that it leads
 * to starts to wait. For example, if both outputs of an If lead to a Merge, the branch that was not
 * taken runs as well. Authors of such workflows rely on this.
 *
 * Returns the first nodes of such branches to the empty inputs of `target`, each with one empty item.
 * It stands for the first item of `source`, for which `target` starts to wait, so expressions find
 * the nodes before. The nodes have not run and directly follow one that has. Returns none for an
 * input that a due node may still reach, none if `target` has already run, as in a loop, and none in
 * the order `v1`.
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
  const firstNodes = (ends: readonly PreparedNode[]): PreparedNode[] => {
    const open = [...ends];
    const branch = new Set<PreparedNode>();
    for (let node = open.pop(); node; node = open.pop()) {
      if (hasRun(node) || branch.has(node) || waiting.has(node)) continue;
      branch.add(node);
      open.push(...sourcesOf(node).map((before) => before.node));
    }
    const first = [...branch].filter((node) => sourcesOf(node).some((before) => hasRun(before.node)));
    return first.some((node) => pending.has(node)) ? [] : first;
  };
  const missing = sourcesOf(target).filter(({ input }) => !waiting.hasArrived(target, input));
  const ends = Map.groupBy(missing, ({ input }) => input);
  const forced = new Set([...ends.values()].flatMap((sources) => firstNodes(sources.map(({ node }) => node))));
  const nodes = [...graph.nodes.values()].filter((node) => forced.has(node));
  return nodes.map((node) => ({ node, inputs: [[{ json: {} }]], sources: [source] }));
}
