import type { Execution, NodeRun } from './executions.ts';
import { emptyRecord } from './own-value.ts';

/** Runs by node name. Without inherited members: a node may be called `constructor`. */
export type RunData = Readonly<Record<string, NodeRun[]>>;

/** Items of one output or input. */
export interface Branch {
  label: string;
  items: readonly { json: unknown; binary?: object }[];
}

const noRuns: RunData = emptyRecord();

export function runDataOf(execution: Execution | undefined): RunData {
  const runData = execution?.data?.resultData.runData;
  return runData ? Object.assign(emptyRecord<NodeRun[]>(), runData) : noRuns;
}

/** Items that a run returned, at all outputs. */
export function outputItems({ data = {} }: NodeRun) {
  return Object.values(data).flatMap((outputs) => outputs.flatMap((items) => items ?? []));
}

/** The outputs of a run. `names`: of the node type's outputs, if they have names. */
export function branchesOf(data: NodeRun['data'] = {}, names: readonly string[] = []): Branch[] {
  return Object.entries(data).flatMap(([type, outputs]) =>
    outputs.map((items, index) => ({
      label: names[index] ?? (outputs.length === 1 ? type : `${type === 'main' ? 'Output' : type} ${index}`),
      items: items ?? [],
    })),
  );
}
