import { type NodeTask, startTask } from './node-task.ts';
import type { PreparedGraph } from './prepared-graph.ts';
import type { RunState } from './run-state.ts';
import type { StartPlan } from './start-plan.ts';
import type { WaitingInputs } from './waiting-inputs.ts';

/**
 * In the legacy order, branches without items still run if a node waits for them. For example, if
 * both outputs of an If lead to a Merge, the branch that was not taken runs as well. Authors of
 * such workflows rely on this.
 *
 * Returns the first node of each such branch, each with one empty item. These nodes have not run,
 * directly follow one that has, and lead to an empty input of the node that would run next. Returns
 * none if that node has already run, as in a loop, and none in the order `v1`.
 */
export function forcedTasks(graph: PreparedGraph, { reach }: StartPlan, state: RunState, waiting: WaitingInputs): NodeTask[] {
  const next = graph.isDepthFirst ? undefined : waiting.next;
  const hasRun = (name: string) => state.runsOf(name).length > 0;
  if (!next || hasRun(next.node.name)) return [];
  const sourcesOf = (name: string) => graph.index.incoming(name).filter(({ node }) => reach.has(node));
  const open = sourcesOf(next.node.name).flatMap(({ node, input }) => (next.arrived.has(input) ? [] : [node]));
  const branch = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (hasRun(name) || branch.has(name) || waiting.has(name)) continue;
    branch.add(name);
    for (const { node } of sourcesOf(name)) open.push(node);
  }
  const begins = (name: string) => branch.has(name) && sourcesOf(name).some(({ node }) => hasRun(node));
  return [...graph.nodes.values()].filter(({ name }) => begins(name)).map(startTask);
}
