import type { JsonObject } from '@sluice/domain';
import type { SourceContext } from './source.ts';

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
