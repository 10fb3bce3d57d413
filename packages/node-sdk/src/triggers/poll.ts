import type { Item, JsonObject } from '@sluice/domain';
import type { SourceContext } from './source.ts';

/**
 * Result of a poll: items for the first output, or a list per output. `null` or no items: nothing
 * new.
 */
export type PollResult = readonly Item[] | readonly (readonly Item[] | null)[] | null;

/** The result as a list per output. */
export function pollOutputs(result: PollResult | undefined): readonly (readonly Item[] | null)[] {
  if (result === null || result === undefined) return [];
  const isByOutput = Array.isArray(result) && result.length > 0 && result.every((one) => one === null || Array.isArray(one));
  return isByOutput ? (result as readonly (readonly Item[] | null)[]) : [result as readonly Item[]];
}

/** The context of a poll: one per call, invalid after it. */
export interface PollContext extends SourceContext {
  /**
   * `manual`: a user runs the node to see its output. The cursor is `undefined`, and stored data is
   * discarded.
   */
  readonly mode: 'trigger' | 'manual';
  /**
   * Fires when the poll takes too long or the workflow is deactivated. Pass it to every operation
   * that waits.
   */
  readonly signal: AbortSignal;
  /**
   * Sets the next poll's cursor. It is stored in the transaction that starts the execution, so each
   * item is in exactly one execution. Discarded if the poll throws. At most 1 MB of JSON; keep it
   * small.
   */
  saveCursor(next: JsonObject): void;
}
