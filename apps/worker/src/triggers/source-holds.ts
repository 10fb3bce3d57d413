import { HoldLostError, type TriggerSources } from '@sluice/db';
import { errorMessage } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { repeatedly } from '../repeatedly.ts';
import { WorkerClosingError } from './source-failure.ts';

/** Milliseconds that a hold is good for without being renewed. */
export const sourceLeaseMs = 10_000;
/** How often the worker looks whether its holds are still good: how long a listener may outlive its workflow's activation. */
const lookMs = 1_000;
const renewEveryMs = 3_000;
/** So long before its end a hold that could not be renewed is given up, to be closed when somebody else may take it. */
const marginMs = 2_000;

export interface SourceHoldsOptions {
  sources: Pick<TriggerSources, 'good' | 'renew'>;
  logger: Logger;
  /** When all holds were last renewed beside the event loop, while it was busy, by the clock of `now`; default: never. */
  renewedAt?: () => number;
  /** Milliseconds of any clock that does not jump. */
  now?: () => number;
}

interface Held {
  control: AbortController;
  goodUntil: number;
}

/**
 * The polls and listeners that this worker has. Holds are renewed while it lives; each has a signal that fires when it is lost: the workflow is no longer
 * active with that trigger, somebody else has it, or the database could not be asked for so long that somebody else may.
 */
export class SourceHolds {
  readonly #options: SourceHoldsOptions;
  readonly #now: () => number;
  readonly #held = new Map<string, Held>();
  readonly #stopping = new AbortController();
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SourceHoldsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get size(): number {
    return this.#held.size;
  }

  start(): void {
    const { logger } = this.#options;
    const { signal } = this.#stopping;
    const onError = (error: unknown) => logger.warn({ error: errorMessage(error) }, 'triggers in hand not renewed');
    repeatedly(() => this.beat(), { pauseMs: lookMs, signal, onError });
    // On its own: a statement that hangs must not keep a hold alive.
    repeatedly(async () => this.expire(), { pauseMs: lookMs, signal, onError });
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Fires with the reason when the hold is lost, or is to be given back. */
  add(holdId: string): AbortSignal {
    const control = new AbortController();
    this.#held.set(holdId, { control, goodUntil: this.#now() + sourceLeaseMs });
    return control.signal;
  }

  remove(holdId: string): void {
    this.#held.delete(holdId);
  }

  /** The worker is going to end: everything is to be given back. */
  giveBackAll(): void {
    for (const { control } of this.#held.values()) control.abort(new WorkerClosingError());
  }

  async beat(): Promise<void> {
    const holdIds = [...this.#held.keys()];
    if (holdIds.length === 0) return;
    const now = this.#now();
    const isRenewal = now - this.#renewedAt >= renewEveryMs;
    const { sources } = this.#options;
    const good = isRenewal ? await sources.renew(holdIds, sourceLeaseMs) : await sources.good(holdIds);
    if (isRenewal) this.#renewedAt = now;
    for (const holdId of holdIds) {
      const held = this.#held.get(holdId);
      if (!good.has(holdId)) held?.control.abort(new HoldLostError());
      else if (held && isRenewal) held.goodUntil = now + sourceLeaseMs;
    }
  }

  /** Gives up what has not been renewed for too long. */
  expire(): void {
    const renewedUntil = (this.#options.renewedAt?.() ?? Number.NEGATIVE_INFINITY) + sourceLeaseMs;
    for (const { control, goodUntil } of this.#held.values()) {
      if (this.#now() > Math.max(goodUntil, renewedUntil) - marginMs) control.abort(new HoldLostError());
    }
  }
}
