import { setMaxListeners } from 'node:events';
import type { AttemptRef } from '@sluice/db';
import { type AbortCause, ExecutionAborted, type ExecutionId } from '@sluice/domain';

interface InFlightAttempt {
  ref: AttemptRef;
  controller: AbortController;
  state: 'reserved' | 'unclaimed' | 'claimed';
}

/**
 * The attempts of executions that are in flight in this worker, and their abort signals.
 *
 * An attempt is reserved (its claim is in flight) → claimed (the database confirms that this worker
 * owns it) → released. It may run before it is claimed (`LateClaim`). Attempts of one execution do
 * not affect each other: a job may name any attempt, and only the claim decides whether that
 * attempt exists.
 */
export class InFlightExecutions {
  readonly #attempts = new Map<ExecutionId, Map<number, InFlightAttempt>>();
  #size = 0;
  #running = 0;

  /** The signal fires with an `ExecutionAborted`. `undefined`: the attempt is already in flight. */
  reserve(ref: AttemptRef): AbortSignal | undefined {
    const attempts = this.#attempts.get(ref.executionId) ?? new Map<number, InFlightAttempt>();
    if (attempts.has(ref.attempt)) return undefined;
    const controller = new AbortController();
    setMaxListeners(0, controller.signal); // a node may add any number of listeners
    attempts.set(ref.attempt, { ref, controller, state: 'reserved' });
    this.#attempts.set(ref.executionId, attempts);
    this.#size += 1;
    return controller.signal;
  }

  /** Call this when the attempt starts to run, and when it is claimed. */
  runs(ref: AttemptRef, state: 'unclaimed' | 'claimed'): void {
    const execution = this.#find(ref);
    if (!execution) return;
    if (execution.state === 'reserved') this.#running += 1;
    execution.state = state;
  }

  release({ executionId, attempt }: AttemptRef): void {
    const attempts = this.#attempts.get(executionId);
    const execution = attempts?.get(attempt);
    if (!attempts || !execution) return;
    attempts.delete(attempt);
    this.#size -= 1;
    if (execution.state !== 'reserved') this.#running -= 1;
    if (attempts.size === 0) this.#attempts.delete(executionId);
  }

  has(id: ExecutionId): boolean {
    return this.#attempts.has(id);
  }

  /** The attempts of these executions that are in flight. */
  refsOf(ids: Iterable<ExecutionId>): AttemptRef[] {
    return [...new Set(ids)].flatMap((id) => [...(this.#attempts.get(id)?.values() ?? [])]).map(({ ref }) => ref);
  }

  /** Aborts only these attempts; the first cause wins. */
  abortAttempts(refs: Iterable<AttemptRef>, cause: AbortCause): void {
    for (const ref of refs) this.#find(ref)?.controller.abort(new ExecutionAborted(cause));
  }

  abortAll(cause: AbortCause): void {
    this.abortAttempts(this.refsOf(this.#attempts.keys()), cause);
  }

  get claimedRefs(): AttemptRef[] {
    const all = [...this.#attempts.values()].flatMap((attempts) => [...attempts.values()]);
    return all.filter(({ state }) => state === 'claimed').map(({ ref }) => ref);
  }

  get size(): number {
    return this.#size;
  }

  /** Number of attempts that run. */
  get running(): number {
    return this.#running;
  }

  #find({ executionId, attempt }: AttemptRef): InFlightAttempt | undefined {
    return this.#attempts.get(executionId)?.get(attempt);
  }
}
