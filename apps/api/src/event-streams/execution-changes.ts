import type { ExecutionChangeRepository, ExecutionState } from '@sluice/db';
import { type ExecutionId, type ExecutionStatus, errorMessage, type Hasten, repeatedly } from '@sluice/domain';
import type { Logger } from '@sluice/logger';

/** Milliseconds between polls of Postgres. */
const pollMs = 1_000;
/** Milliseconds after a signal until the next poll, so that signals are read together. */
const gatherMs = 200;
/** Number of newest executions that are compared. Older ones are found by their `ended` signal. */
const windowSize = 200;
/** Maximum number of signaled executions read by one poll. */
const maxSignaled = 500;

/** `status` null: deleted. */
export type ExecutionChange = Omit<ExecutionState, 'status'> & { status: ExecutionStatus | null };
/** Called after each poll, also without changes. `more`: further executions may have changed. */
type ChangeListener = (changes: readonly ExecutionChange[], more: boolean) => void;

interface ExecutionChangesOptions {
  executionChanges: Pick<ExecutionChangeRepository, 'read'>;
  logger: Logger;
}

/**
 * Finds executions that were created, changed, or deleted, by comparing the newest ones of all
 * projects. Runs one statement per second for all listeners of the process, and no statement
 * without listeners.
 */
export class ExecutionChanges {
  readonly #options: ExecutionChangesOptions;
  readonly #listeners = new Set<ChangeListener>();
  readonly #signaled = new Set<ExecutionId>();
  #previous: ReadonlyMap<ExecutionId, ExecutionState> | undefined;
  #more = false;
  /** Moves the next poll forward; `undefined` before the first listener. */
  #hasten: Hasten | undefined;

  constructor(options: ExecutionChangesOptions) {
    this.#options = options;
  }

  /** Throws if changes cannot be read now. */
  async check(): Promise<void> {
    await this.#options.executionChanges.read(1, []);
  }

  /** Subscribes. Returns the function that unsubscribes. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    this.#hasten ??= this.#start();
    this.#hasten(0);
    return () => void this.#listeners.delete(listener);
  }

  /** Handles the `ended` signal. */
  notify(ids: readonly ExecutionId[]): void {
    if (this.#listeners.size === 0) return;
    for (const id of ids) {
      if (this.#signaled.size < maxSignaled) this.#signaled.add(id);
      else this.#more = true;
    }
    this.#hasten?.(gatherMs);
  }

  #start(): Hasten {
    const onError = (error: unknown) => {
      // The next poll finds the same changes.
      this.#options.logger.debug({ error: errorMessage(error) }, 'execution changes not read');
    };
    return repeatedly(() => this.#poll(), { pauseMs: pollMs, signal: new AbortController().signal, onError });
  }

  /**
   * Resolves to the milliseconds until the next poll; infinite without listeners: the next listener
   * restarts polling.
   */
  async #poll(): Promise<number> {
    if (this.#listeners.size > 0) await this.#compare();
    if (this.#listeners.size > 0) return this.#signaled.size > 0 ? gatherMs : pollMs;
    this.#previous = undefined;
    this.#signaled.clear();
    return Number.POSITIVE_INFINITY;
  }

  async #compare(): Promise<void> {
    const signaled = [...this.#signaled];
    this.#signaled.clear(); // before the read, which may miss a change that is signaled in the meantime
    const states = await this.#options.executionChanges.read(windowSize, signaled).catch((error: unknown) => {
      for (const id of signaled) this.#signaled.add(id);
      throw error;
    });
    const newest = states.toSorted(newestFirst).slice(0, windowSize);
    const before = this.#previous;
    this.#previous = new Map(newest.map((state) => [state.id, state]));
    const more =
      this.#more || (before !== undefined && newest.length === windowSize && !newest.some(({ id }) => before.has(id)));
    this.#more = false;
    const changes = before ? [...changed(states, before, new Set(signaled)), ...deleted(states, newest, before)] : [];
    for (const listener of this.#listeners) listener(changes, more);
  }
}

function changed(
  states: readonly ExecutionState[],
  before: ReadonlyMap<ExecutionId, ExecutionState>,
  signaled: ReadonlySet<ExecutionId>,
): ExecutionState[] {
  return states.filter(({ id, status }) => (before.has(id) ? before.get(id)?.status !== status : true) || signaled.has(id));
}

/** Executions that left the window for a reason other than newer ones. */
function deleted(
  states: readonly ExecutionState[],
  newest: readonly ExecutionState[],
  before: ReadonlyMap<ExecutionId, ExecutionState>,
): ExecutionChange[] {
  const present = new Set(states.map(({ id }) => id));
  const oldest = newest.length === windowSize ? newest.at(-1) : undefined;
  return [...before.values()]
    .filter((state) => !present.has(state.id) && (oldest === undefined || newestFirst(state, oldest) < 0))
    .map((state) => ({ ...state, status: null }));
}

/** IDs are decimal, and too large for numbers. */
function newestFirst(a: Pick<ExecutionState, 'id'>, b: Pick<ExecutionState, 'id'>): number {
  return b.id.length - a.id.length || (a.id < b.id ? 1 : -1);
}
