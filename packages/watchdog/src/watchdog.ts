import { Worker } from 'node:worker_threads';
import type { LeaseTerms } from '@sluice/db/worker-lease-repository';
import type { Logger } from '@sluice/logger';
import { InFlight } from './in-flight.ts';
import { monotonicMs, signs, signsBytes, type ThreadData, type ThreadMessage } from './protocol.ts';

export interface WatchdogOptions {
  /** Name of the process in log lines. */
  name: string;
  logLevel: string;
  /** Milliseconds of silence after which the event loop is considered stuck. */
  stallMs: number;
  /** Database and durations of the lease; absent: the process has no lease. */
  lease?: { databaseUrl: string; terms: LeaseTerms };
  /** Names of the fields of each piece of work in flight. */
  inFlight: readonly string[];
  logger: Pick<Logger, 'error'>;
}

/**
 * This module and the thread's file have the same form: TypeScript source or compiled JavaScript.
 */
const isSource = import.meta.url.endsWith('.ts');
const threadFile = new URL(`./watchdog-thread.${isSource ? 'ts' : 'js'}`, import.meta.url);
const execArgv = ['--disable-warning=ExperimentalWarning', ...(isSource ? ['--conditions=source'] : [])];
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };
const longestPulseMs = 500;
const restartMs = 1_000;

/**
 * The event loop's side of the thread that watches it. The thread renews the lease as long as the
 * event loop has responded within `stallMs`. After that, or when the time of `endWithin` has
 * elapsed, it kills the process with SIGKILL. A thread that fails is replaced.
 */
export class Watchdog {
  readonly inFlight: InFlight;
  readonly #options: WatchdogOptions;
  readonly #signs = new BigInt64Array(new SharedArrayBuffer(signsBytes));
  readonly #pulse: NodeJS.Timeout;
  #thread: Worker;
  #workerId: string | null = null;
  #endAt: number | undefined;
  #closed = false;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.inFlight = new InFlight(options.inFlight);
    const pulseMs = Math.min(longestPulseMs, options.stallMs / 8);
    this.#pulse = setInterval(() => Atomics.add(this.#signs, signs.pulse, 1n), pulseMs).unref();
    this.#thread = this.#start();
  }

  /** Makes the thread renew this worker's lease from now on; null: no lease. */
  keepLease(workerId: string | null): void {
    this.#workerId = workerId;
    this.#post({ workerId });
  }

  /**
   * When the thread last renewed the polls and listeners of a silent event loop, as a value of
   * `performance.now()`; in the distant past if it never has.
   */
  get leasesRenewedAt(): number {
    const renewedAt = Number(Atomics.load(this.#signs, signs.renewedAt));
    return renewedAt === 0 ? Number.NEGATIVE_INFINITY : performance.now() - (monotonicMs() - renewedAt);
  }

  /** Kills the process if it still runs after `ms` milliseconds. */
  endWithin(ms: number): void {
    this.#endAt = performance.now() + ms;
    this.#post({ endWithinMs: ms });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#pulse);
    await this.#thread.terminate();
  }

  #start(): Worker {
    const { name, logLevel, stallMs, lease = null, logger } = this.#options;
    const { fields, memory } = this.inFlight;
    const shared = { signs: this.#signs.buffer as SharedArrayBuffer, inFlight: { fields, memory } };
    const workerData: ThreadData = { name, logLevel, stallMs, lease, ...shared };
    const thread = new Worker(threadFile, { execArgv, workerData, resourceLimits });
    thread.on('error', (err) => logger.error({ err }, 'the watchdog thread has failed'));
    thread.on('exit', () => {
      if (!this.#closed) setTimeout(() => this.#restart(), restartMs).unref();
    });
    thread.unref();
    return thread;
  }

  #restart(): void {
    if (this.#closed) return;
    this.#thread = this.#start();
    this.#post({ workerId: this.#workerId });
    if (this.#endAt !== undefined) this.#post({ endWithinMs: this.#endAt - performance.now() });
  }

  #post(message: ThreadMessage): void {
    this.#thread.postMessage(message);
  }
}
