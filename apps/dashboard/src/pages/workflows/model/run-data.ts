import { edgesOf } from '../../../data/edges.ts';
import { outputLabels } from '../../../data/node-type-facts.ts';
import { ownValue } from '../../../data/own-value.ts';
import { type Branch, branchesOf, outputItems, type RunData } from '../../../data/run-data.ts';
import { counted, formatCount, formatDuration } from '../../../ui/format.ts';
import type { Draft, GraphNode } from './graph.ts';

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

/** Items of the outputs in a node's last run. */
export function lastOutput(runData: RunData, { name, type }: GraphNode): Branch[] | undefined {
  const last = runData[name]?.at(-1);
  return last && branchesOf(last.data, outputLabels(type));
}

/** Pinned items by the list in the draft: each edit reads them for many fields. */
const pinnedLists = new WeakMap<object, Branch['items']>();

/** Items that a node returns instead of running. */
export function pinnedItems({ pinData }: Pick<Draft, 'pinData'>, name: string): Branch['items'] | undefined {
  const list = ownValue(pinData, name);
  if (!list) return undefined;
  const items =
    pinnedLists.get(list) ?? list.map((item) => ('json' in item ? { ...item, json: item['json'] } : { json: item }));
  pinnedLists.set(list, items);
  return items;
}

/** Items that reach a node, pinned or of the last run, by output. Empty if unknown. */
export function lastInput(draft: Draft, runData: RunData, name: string): Branch[] {
  return edgesOf(draft.connections)
    .filter(({ target, type }) => target === name && type === 'main')
    .flatMap(({ source, output }) => {
      const pinned = output === 0 ? pinnedItems(draft, source) : undefined;
      const items = pinned ?? runData[source]?.at(-1)?.data?.['main']?.[output] ?? [];
      return items.length === 0 ? [] : [{ label: output === 0 ? source : `${source}, output ${output}`, items }];
    });
}

/** JSON of the first item of branches. */
export function firstJson(branches: readonly Branch[] = []): unknown {
  return branches.find(({ items }) => items.length > 0)?.items[0]?.json;
}
