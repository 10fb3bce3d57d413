import { SourceLeaseLostError, type TriggerSourceRepository } from '@sluice/db';
import { repeatedly } from '@sluice/domain';
import { failureLog, type Logger } from '@sluice/logger';
import { WorkerClosingError } from './source-failure.ts';

/** Milliseconds for which a lease is valid without a renewal. */
export const sourceLeaseMs = 10_000;
/**
 * Interval at which the worker checks its leases: how long a listener may outlive its workflow's
 * activation.
 */
const checkEveryMs = 1_000;
const renewEveryMs = 3_000;
/**
 * A lease that could not be renewed is released this many milliseconds before its expiry, so that
 * its trigger is closed before another worker may take it.
 */
const marginMs = 2_000;

interface SourceLeaseKeeperOptions {
  triggerSources: Pick<TriggerSourceRepository, 'findValid' | 'renew'>;
  logger: Logger;
  /**
   * When all leases were last renewed on a busy event loop, by the clock of `now`; default:
   * never.
   */
  renewedAt?: () => number;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

interface ActiveLease {
  control: AbortController;
  goodUntil: number;
}

/**
 * The polls and listeners of this worker. Leases are renewed while it lives; each has a signal that
 * fires when it is lost: the workflow is no longer active with that trigger, another worker has it,
 * or the database was unreachable for so long that another worker may take it.
 */
export class SourceLeaseKeeper {
  readonly #options: SourceLeaseKeeperOptions;
  readonly #now: () => number;
  readonly #leases = new Map<string, ActiveLease>();
  readonly #stopping = new AbortController();
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SourceLeaseKeeperOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  start(): void {
    const { logger } = this.#options;
    const { signal } = this.#stopping;
    const onError = failureLog(logger, 'leases of polls and listeners not renewed');
    repeatedly(() => this.beat(), { pauseMs: checkEveryMs, signal, onError });
    // Separate, so that a hanging statement does not keep a lease alive.
    repeatedly(async () => this.expire(), { pauseMs: checkEveryMs, signal, onError });
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Fires with the reason when the lease is lost or has to be released. */
  add(leaseId: string): AbortSignal {
    const control = new AbortController();
    this.#leases.set(leaseId, { control, goodUntil: this.#now() + sourceLeaseMs });
    return control.signal;
  }

  remove(leaseId: string): void {
    this.#leases.delete(leaseId);
  }

  /** Requests the release of a lease, so that this worker can run another trigger. */
  release(leaseId: string): void {
    this.#leases.get(leaseId)?.control.abort(new WorkerClosingError());
  }

  /** Requests the release of all leases, because the worker is shutting down. */
  releaseAll(): void {
    for (const { control } of this.#leases.values()) control.abort(new WorkerClosingError());
  }

  async beat(): Promise<void> {
    const leaseIds = [...this.#leases.keys()];
    if (leaseIds.length === 0) return;
    const now = this.#now();
    const isRenewal = now - this.#renewedAt >= renewEveryMs;
    const { triggerSources } = this.#options;
    const valid = isRenewal ? await triggerSources.renew(leaseIds, sourceLeaseMs) : await triggerSources.findValid(leaseIds);
    if (isRenewal) this.#renewedAt = now;
    for (const leaseId of leaseIds) {
      const lease = this.#leases.get(leaseId);
      if (!valid.has(leaseId)) lease?.control.abort(new SourceLeaseLostError());
      else if (lease && isRenewal) lease.goodUntil = now + sourceLeaseMs;
    }
  }

  /** Gives up leases that have not been renewed for too long. */
  expire(): void {
    const renewedUntil = (this.#options.renewedAt?.() ?? Number.NEGATIVE_INFINITY) + sourceLeaseMs;
    for (const { control, goodUntil } of this.#leases.values()) {
      if (this.#now() > Math.max(goodUntil, renewedUntil) - marginMs) control.abort(new SourceLeaseLostError());
    }
  }
}
