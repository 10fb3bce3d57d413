import type { Item, JsonObject } from '@sluice/domain';
import type { SourceContext } from './source.ts';

/** What a poll has found: items, which come out of the first output, or a list of them for each output; `null`, or no items: nothing. */
export type PollResult = readonly Item[] | readonly (readonly Item[] | null)[] | null;

/** The same, output by output. */
export function pollOutputs(found: PollResult | undefined): readonly (readonly Item[] | null)[] {
  if (found === null || found === undefined) return [];
  const isByOutput = Array.isArray(found) && found.length > 0 && found.every((one) => one === null || Array.isArray(one));
  return isByOutput ? (found as readonly (readonly Item[] | null)[]) : [found as readonly Item[]];
}

/** What a poll is given. One per call; not to be kept after it. */
export interface PollContext extends SourceContext {
  /** `manual`: somebody runs the node by hand to see what it gives. The cursor is `undefined` then, and what is kept is forgotten. */
  readonly mode: 'trigger' | 'manual';
  /** Fires when the poll takes too long, and when the workflow is no longer active; hand it to everything that waits. */
  readonly signal: AbortSignal;
  /**
   * The cursor of the next poll, in place of the one before. It is stored in the transaction that starts the execution, so each poll's items are in
   * exactly one. Forgotten when the poll throws. Keep it small: 1 MB of JSON at most.
   */
  keepCursor(next: JsonObject): void;
}
