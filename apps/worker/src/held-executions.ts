import type { AttemptRef } from '@sluice/db';
import { type AbortCause, ExecutionAborted, type ExecutionId } from '@sluice/domain';

interface Held {
  ref: AttemptRef;
  controller: AbortController;
}

/** The executions that this worker runs right now, and the way to abort them. */
export class HeldExecutions {
  readonly #held = new Map<ExecutionId, Held>();

  /** From now until `release`; the signal fires with an `ExecutionAborted`. */
  hold(ref: AttemptRef): AbortSignal {
    const controller = new AbortController();
    this.#held.set(ref.executionId, { ref, controller });
    return controller.signal;
  }

  release(id: ExecutionId): void {
    this.#held.delete(id);
  }

  /** Aborts those of the ids that are held; the first cause stays. */
  abort(ids: Iterable<ExecutionId>, cause: AbortCause): void {
    for (const id of ids) this.#held.get(id)?.controller.abort(new ExecutionAborted(cause));
  }

  abortAll(cause: AbortCause): void {
    this.abort([...this.#held.keys()], cause);
  }

  get refs(): AttemptRef[] {
    return [...this.#held.values()].map((held) => held.ref);
  }

  get size(): number {
    return this.#held.size;
  }
}
