import { isBinaryId } from '@sluice/binary-store';
import { type Item, isJsonObject, type ResumeEvent } from '@sluice/domain';

/** What brings items from one execution to another: the start of a called workflow, and its end. */
export interface BroughtItems {
  /** What the execution was called with. */
  trigger?: { items: readonly Item[] };
  /** What it goes on with. */
  event?: ResumeEvent;
}

/** Ids of the files that these items refer to, each once. What is no reference is passed over. */
export function broughtFileIds({ trigger, event }: BroughtItems): string[] {
  const ids = new Set<string>();
  const add = (items: readonly Item[]) => {
    for (const item of items) for (const id of idsOf(item)) ids.add(id);
  };
  if (trigger) add(trigger.items);
  if (event?.kind === 'workflows') for (const result of event.results) if (result.status === 'success') add(result.items);
  return [...ids];
}

function idsOf({ binary = {} }: Item): string[] {
  const ids = Object.values(binary).map((reference: unknown) => (isJsonObject(reference) ? reference['id'] : undefined));
  return ids.filter((id) => typeof id === 'string').filter(isBinaryId);
}
