import type { RunData } from '@sluice/domain';
import type { PreparedGraph, PreparedNode } from '../graph/prepared-graph.ts';
import type { StartPlan } from '../graph/start-plan.ts';
import { type Arrival, calledTask, type NodeTask, startTask } from '../node/node-task.ts';
import { type EarlierRuns, lastRuns, linkEarlierRuns } from './earlier-runs.ts';
import { WaitingInputs } from './waiting-inputs.ts';

/**
 * The runs of an earlier execution on which this execution builds: completed runs that it does not
 * repeat, and runs from which a loop leads back.
 */
export function earlierRuns(graph: PreparedGraph, plan: StartPlan, runData: RunData): Promise<EarlierRuns> {
  const before = graph.index.ancestorsOf(plan.starts.map(({ name }) => name));
  return linkEarlierRuns(graph.index, runData, (name) => before.has(name) || !plan.reach.has(name));
}

/**
 * Returns the first tasks and the waiting inputs of all other nodes. Earlier runs feed the start
 * nodes and the inputs that the walk cannot fill, and inputs that it could fill but leaves empty. A
 * start node without input gets one empty item.
 */
export function firstTasks(
  graph: PreparedGraph,
  plan: StartPlan,
  earlier: EarlierRuns,
): { tasks: NodeTask[]; waiting: WaitingInputs } {
  const { feeds, fallbacks } = earlier.size > 0 ? feedsOf(graph, plan, earlier) : noFeeds();
  const waiting = new WaitingInputs(roundSizes(plan, feeds), fallbacks);
  const { called } = plan;
  const toTask = (node: PreparedNode) => (called ? calledTask(node, called) : startTask(node));
  const tasks = plan.starts.filter((node) => !feeds.has(node)).map(toTask);
  for (const [node, arrivals] of feeds) {
    for (const arrival of arrivals) {
      const task = waiting.arrive(node, arrival);
      if (task) tasks.push(task);
    }
  }
  return { tasks, waiting };
}

/** Items of earlier runs, as arrivals at nodes of the walk. */
interface Feeds {
  feeds: Map<PreparedNode, Arrival[]>;
  /** Arrivals at inputs that other nodes may still fill. */
  fallbacks: Map<PreparedNode, Arrival[]>;
}

function noFeeds(): Feeds {
  return { feeds: new Map(), fallbacks: new Map() };
}

function feedsOf(graph: PreparedGraph, plan: StartPlan, earlier: EarlierRuns): Feeds {
  const { feeds, fallbacks } = noFeeds();
  const lastRun = lastRuns(earlier);
  const starts = new Set(plan.starts);
  for (const node of new Set([...starts, ...plan.fillable.keys()])) {
    const isStart = starts.has(node);
    for (const { node: name, output, input } of graph.index.incoming(node.name)) {
      const from = isStart || !plan.reach.has(name) ? lastRun(name, output) : undefined;
      if (!from) continue;
      const arrival = { input, items: from.outputs[output] ?? [], source: { from, output } };
      append(!isStart && plan.fillable.get(node)?.has(input) ? fallbacks : feeds, node, arrival);
    }
  }
  return { feeds, fallbacks };
}

function append(arrivals: Map<PreparedNode, Arrival[]>, node: PreparedNode, arrival: Arrival): void {
  const existing = arrivals.get(node);
  if (existing) existing.push(arrival);
  else arrivals.set(node, [arrival]);
}

/** Number of inputs that complete a round, for nodes that need several inputs. */
function roundSizes(plan: StartPlan, feeds: ReadonlyMap<PreparedNode, readonly Arrival[]>): Map<PreparedNode, number> {
  const sizes = new Map<PreparedNode, number>();
  for (const [node, fillable] of plan.fillable) {
    const inputs = new Set([...fillable, ...(feeds.get(node) ?? []).map(({ input }) => input)]).size;
    const required = node.type?.description.requiredInputs;
    const size = typeof required === 'number' ? Math.min(required, inputs) : inputs;
    if (size > 1) sizes.set(node, size);
  }
  return sizes;
}
