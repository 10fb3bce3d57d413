import { setMaxListeners } from 'node:events';
import type { AttemptRef } from '@sluice/db';
import { type AbortCause, ExecutionAborted, type ExecutionId } from '@sluice/domain';

interface Held {
  ref: AttemptRef;
  controller: AbortController;
  claimed: boolean;
}

/**
 * The executions that this worker has in hand, and the way to abort them.
 *
 * An execution is reserved (its claim is on the way) → claimed (the database says it is ours) → released.
 */
export class HeldExecutions {
  readonly #held = new Map<ExecutionId, Held>();

  /** The signal fires with an `ExecutionAborted`. `undefined`: it is in hand already. */
  reserve(ref: AttemptRef): AbortSignal | undefined {
    if (this.#held.has(ref.executionId)) return undefined;
    const controller = new AbortController();
    setMaxListeners(0, controller.signal); // one for each thing that waits: as many as a node likes
    this.#held.set(ref.executionId, { ref, controller, claimed: false });
    return controller.signal;
  }

  claimed(id: ExecutionId): void {
    const held = this.#held.get(id);
    if (held) held.claimed = true;
  }

  release(id: ExecutionId): void {
    this.#held.delete(id);
  }

  has(id: ExecutionId): boolean {
    return this.#held.has(id);
  }

  /** Aborts those of the ids that are in hand; the first cause stays. */
  abort(ids: Iterable<ExecutionId>, cause: AbortCause): void {
    for (const id of ids) this.#held.get(id)?.controller.abort(new ExecutionAborted(cause));
  }

  abortAll(cause: AbortCause): void {
    this.abort([...this.#held.keys()], cause);
  }

  get claimedIds(): ExecutionId[] {
    return [...this.#held.values()].filter((held) => held.claimed).map((held) => held.ref.executionId);
  }

  get size(): number {
    return this.#held.size;
  }
}
