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

  /**
   * The signal fires with an `ExecutionAborted`. `undefined`: it is in hand already. A later attempt takes the place of one before it,
   * which has been written as over: else there would be no later one.
   */
  reserve(ref: AttemptRef): AbortSignal | undefined {
    const held = this.#held.get(ref.executionId);
    if (held && held.ref.attempt >= ref.attempt) return undefined;
    const controller = new AbortController();
    setMaxListeners(0, controller.signal); // one for each thing that waits: as many as a node likes
    this.#held.set(ref.executionId, { ref, controller, claimed: false });
    return controller.signal;
  }

  claimed(ref: AttemptRef): void {
    const held = this.#find(ref);
    if (held) held.claimed = true;
  }

  release(ref: AttemptRef): void {
    if (this.#find(ref)) this.#held.delete(ref.executionId);
  }

  has(id: ExecutionId): boolean {
    return this.#held.has(id);
  }

  /** Aborts those of the ids that are in hand; the first cause stays. */
  abort(ids: Iterable<ExecutionId>, cause: AbortCause): void {
    for (const id of ids) this.#held.get(id)?.controller.abort(new ExecutionAborted(cause));
  }

  /** Aborts what is in hand of these attempts, and of no others. */
  abortAttempts(refs: Iterable<AttemptRef>, cause: AbortCause): void {
    for (const ref of refs) this.#find(ref)?.controller.abort(new ExecutionAborted(cause));
  }

  abortAll(cause: AbortCause): void {
    this.abort([...this.#held.keys()], cause);
  }

  get claimedRefs(): AttemptRef[] {
    return [...this.#held.values()].filter((held) => held.claimed).map((held) => held.ref);
  }

  get size(): number {
    return this.#held.size;
  }

  #find({ executionId, attempt }: AttemptRef): Held | undefined {
    const held = this.#held.get(executionId);
    return held?.ref.attempt === attempt ? held : undefined;
  }
}
