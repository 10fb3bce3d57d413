import type { Execution, NodeRun } from '../../../data/executions.ts';
import { formatCount, formatDuration } from '../../../ui/format.ts';
import { type Draft, edgesOf } from './graph.ts';

export type RunData = Readonly<Record<string, NodeRun[]>>;

export function runDataOf(execution: Execution | undefined): RunData {
  return execution?.data?.resultData.runData ?? {};
}

/** The result of the last run of each node, for the graph. */
export function marksOf(runData: RunData): Map<string, { tone: string; text: string }> {
  const marks = new Map<string, { tone: string; text: string }>();
  for (const [name, runs] of Object.entries(runData)) {
    const last = runs.at(-1);
    if (!last) continue;
    const items = outputItems(last);
    const text =
      last.executionStatus === 'error'
        ? 'failed'
        : `${formatDuration(last.executionTime)} · ${formatCount(items)} ${items === 1 ? 'item' : 'items'}`;
    marks.set(name, { tone: last.executionStatus, text });
  }
  return marks;
}

/** A node has outputs of one connection type only: `main`, or that of a sub-node. */
function firstOutputs(data: NodeRun['data'] = {}) {
  return Object.values(data)[0] ?? [];
}

function outputItems({ data }: NodeRun): number {
  return firstOutputs(data).reduce((sum, items) => sum + (items?.length ?? 0), 0);
}

/** JSON of the items of all outputs of the last run of a node. */
export function lastOutput(runData: RunData, name: string): unknown[] | undefined {
  const last = runData[name]?.at(-1);
  return (
    last &&
    firstOutputs(last.data)
      .flatMap((items) => items ?? [])
      .map(({ json }) => json)
  );
}

/**
 * JSON of the items that reach a node: those of the outputs that lead to it, pinned or of the last run.
 * `undefined`: none did.
 */
export function lastInput({ connections, pinData }: Draft, runData: RunData, name: string): unknown[] | undefined {
  const items = edgesOf(connections)
    .filter(({ target, type }) => target === name && type === 'main')
    .flatMap(({ source, output }) => {
      const pinned = output === 0 ? pinData[source] : undefined;
      if (pinned) return pinned.map((item) => ('json' in item ? item['json'] : item));
      return (runData[source]?.at(-1)?.data?.['main']?.[output] ?? []).map(({ json }) => json);
    });
  return items.length === 0 ? undefined : items;
}
