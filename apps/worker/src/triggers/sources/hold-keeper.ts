import { HoldLostError, type TriggerSourceRepository } from '@sluice/db';
import { repeatedly } from '@sluice/domain';
import { failureLog, type Logger } from '@sluice/logger';
import { WorkerClosingError } from './source-failure.ts';

/** Milliseconds for which a hold is valid without a renewal. */
export const sourceLeaseMs = 10_000;
/**
 * Interval at which the worker checks its holds: how long a listener may outlive its workflow's
 * activation.
 */
const checkEveryMs = 1_000;
const renewEveryMs = 3_000;
/**
 * Milliseconds before its expiry at which a hold that could not be renewed is given up, so that its
 * trigger is closed before another worker may take it.
 */
const marginMs = 2_000;

interface HoldKeeperOptions {
  triggerSources: Pick<TriggerSourceRepository, 'findValid' | 'renew'>;
  logger: Logger;
  /**
   * When all holds were last renewed on a busy event loop, by the clock of `now`; default:
   * never.
   */
  renewedAt?: () => number;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

interface ActiveHold {
  control: AbortController;
  goodUntil: number;
}

/**
 * The polls and listeners of this worker. Holds are renewed while it lives; each has a signal that
 * fires when it is lost: the workflow is no longer active with that trigger, another worker has it,
 * or the database was unreachable for so long that another worker may take it.
 */
export class HoldKeeper {
  readonly #options: HoldKeeperOptions;
  readonly #now: () => number;
  readonly #holds = new Map<string, ActiveHold>();
  readonly #stopping = new AbortController();
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(options: HoldKeeperOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  start(): void {
    const { logger } = this.#options;
    const { signal } = this.#stopping;
    const onError = failureLog(logger, 'trigger holds not renewed');
    repeatedly(() => this.beat(), { pauseMs: checkEveryMs, signal, onError });
    // Separate, so that a hanging statement does not keep a hold alive.
    repeatedly(async () => this.expire(), { pauseMs: checkEveryMs, signal, onError });
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Fires with the reason when the hold is lost or has to be released. */
  add(holdId: string): AbortSignal {
    const control = new AbortController();
    this.#holds.set(holdId, { control, goodUntil: this.#now() + sourceLeaseMs });
    return control.signal;
  }

  remove(holdId: string): void {
    this.#holds.delete(holdId);
  }

  /** Requests the release of a hold, so that another trigger can have its place. */
  release(holdId: string): void {
    this.#holds.get(holdId)?.control.abort(new WorkerClosingError());
  }

  /** Requests the release of all holds, because the worker is shutting down. */
  releaseAll(): void {
    for (const { control } of this.#holds.values()) control.abort(new WorkerClosingError());
  }

  async beat(): Promise<void> {
    const holdIds = [...this.#holds.keys()];
    if (holdIds.length === 0) return;
    const now = this.#now();
    const isRenewal = now - this.#renewedAt >= renewEveryMs;
    const { triggerSources } = this.#options;
    const valid = isRenewal ? await triggerSources.renew(holdIds, sourceLeaseMs) : await triggerSources.findValid(holdIds);
    if (isRenewal) this.#renewedAt = now;
    for (const holdId of holdIds) {
      const hold = this.#holds.get(holdId);
      if (!valid.has(holdId)) hold?.control.abort(new HoldLostError());
      else if (hold && isRenewal) hold.goodUntil = now + sourceLeaseMs;
    }
  }

  /** Gives up holds that have not been renewed for too long. */
  expire(): void {
    const renewedUntil = (this.#options.renewedAt?.() ?? Number.NEGATIVE_INFINITY) + sourceLeaseMs;
    for (const { control, goodUntil } of this.#holds.values()) {
      if (this.#now() > Math.max(goodUntil, renewedUntil) - marginMs) control.abort(new HoldLostError());
    }
  }
}
