import { edgesOf } from '../../../data/edges.ts';
import { outputItems, type RunData } from '../../../data/run-data.ts';
import { counted, formatCount, formatDuration } from '../../../ui/format.ts';
import type { Draft } from './graph.ts';

/** The result of the last run of each node, for the graph. */
export function marksOf(runData: RunData): Map<string, { tone: string; text: string }> {
  const marks = new Map<string, { tone: string; text: string }>();
  for (const [name, runs] of Object.entries(runData)) {
    const last = runs.at(-1);
    if (!last) continue;
    const items = outputItems(last).length;
    const text =
      last.executionStatus === 'error'
        ? 'failed'
        : `${formatDuration(last.executionTime)} · ${counted(items, 'item', formatCount)}`;
    marks.set(name, { tone: last.executionStatus, text });
  }
  return marks;
}

/** JSON of the items of all outputs in a node's last run. */
export function lastOutput(runData: RunData, name: string): unknown[] | undefined {
  const last = runData[name]?.at(-1);
  return last && outputItems(last).map(({ json }) => json);
}

/** JSON of the items that a node returns instead of running. */
export function pinnedItems({ pinData }: Pick<Draft, 'pinData'>, name: string): unknown[] | undefined {
  return pinData[name]?.map((item) => ('json' in item ? item['json'] : item));
}

/**
 * JSON of the items that reach a node: from the outputs connected to it, pinned or of the last run.
 * `undefined` if no items do.
 */
export function lastInput(draft: Draft, runData: RunData, name: string): unknown[] | undefined {
  const items = edgesOf(draft.connections)
    .filter(({ target, type }) => target === name && type === 'main')
    .flatMap(({ source, output }) => {
      const pinned = output === 0 ? pinnedItems(draft, source) : undefined;
      if (pinned) return pinned;
      return (runData[source]?.at(-1)?.data?.['main']?.[output] ?? []).map(({ json }) => json);
    });
  return items.length === 0 ? undefined : items;
}
