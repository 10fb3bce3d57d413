import type { Execution, NodeRun } from './executions.ts';

/** The runs of each node, by its name. */
export type RunData = Readonly<Record<string, NodeRun[]>>;

const noRuns: RunData = {};

export function runDataOf(execution: Execution | undefined): RunData {
  return execution?.data?.resultData.runData ?? noRuns;
}

/** Items that a run returned, at all outputs. */
export function outputItems({ data = {} }: NodeRun) {
  return Object.values(data).flatMap((outputs) => outputs.flatMap((items) => items ?? []));
}
