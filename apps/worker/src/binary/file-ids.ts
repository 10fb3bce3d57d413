import { isBinaryId } from '@sluice/binary-store';
import { type Item, isJsonObject, type ResumeEvent } from '@sluice/domain';

/**
 * Items that pass from one execution to another: at the start of a called workflow, and at its end.
 */
export interface BroughtItems {
  /** The input of the execution. */
  trigger?: { items: readonly Item[] };
  /** The event that resumes it. */
  event?: ResumeEvent;
}

/** Ids of the files that these items refer to, each once. Invalid references are ignored. */
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
