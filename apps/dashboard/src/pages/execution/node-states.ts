import type { NodeRun } from '../../data/executions.ts';
import { outputItems, type RunData } from '../../data/run-data.ts';

export type NodeStatus = 'success' | 'error' | 'running' | 'waiting';

/** State of a node in the graph. */
export interface NodeState {
  status: NodeStatus;
  runs: number;
  /** Sum of all runs, in milliseconds. */
  durationMs: number;
  /** Number of items that the last run returned, at all outputs. */
  items: number;
}

/**
 * States of the nodes that have run. `running`: names of nodes that run now, according to events;
 * `waiting`: the node whose run waits.
 */
export function nodeStates(runData: RunData, running: ReadonlySet<string>, waiting?: string): Map<string, NodeState> {
  const states = new Map<string, NodeState>();
  for (const [name, runs] of Object.entries(runData)) {
    const last = runs.at(-1);
    if (!last) continue;
    states.set(name, {
      status: last.executionStatus,
      runs: runs.length,
      durationMs: runs.reduce((sum, { executionTime }) => sum + executionTime, 0),
      items: outputItems(last).length,
    });
  }
  const start = (name: string, status: NodeStatus) => {
    const before = states.get(name);
    states.set(name, { durationMs: 0, items: 0, ...before, status, runs: (before?.runs ?? 0) + 1 });
  };
  for (const name of running) if (name !== waiting) start(name, 'running');
  if (waiting !== undefined) start(waiting, 'waiting');
  return states;
}

/** Items sent over each connection by the last run of its source, by `edgeKey`. */
export function edgeItems(runData: RunData): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [name, runs] of Object.entries(runData)) {
    for (const [type, outputs] of Object.entries(runs.at(-1)?.data ?? {})) {
      for (const [index, items] of outputs.entries()) counts.set(edgeKey(name, type, index), items?.length ?? 0);
    }
  }
  return counts;
}

export function edgeKey(source: string, type: string, output: number): string {
  return `${source}/${type}/${output}`;
}

interface Source {
  previousNode: string;
  previousNodeOutput?: number;
  previousNodeRun?: number;
}

interface RunInput {
  from: string;
  output: number;
  items: readonly { json: unknown; binary?: object }[];
}

/** Items that a run received, per input: the outputs of its source runs. */
export function inputsOf({ source }: NodeRun, runData: RunData): RunInput[] {
  return source.flatMap((entry) => {
    const { previousNode, previousNodeOutput = 0, previousNodeRun = 0 } = (entry ?? {}) as Partial<Source>;
    if (previousNode === undefined) return [];
    const items = runData[previousNode]?.[previousNodeRun]?.data?.['main']?.[previousNodeOutput] ?? [];
    return [{ from: previousNode, output: previousNodeOutput, items }];
  });
}
