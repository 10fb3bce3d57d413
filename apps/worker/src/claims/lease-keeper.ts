import { hostname } from 'node:os';
import type { WorkerLoad, WorkerRegistration, WorkerRepository } from '@sluice/db';
import { randomId, type WorkerId } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { InFlightExecutions } from './in-flight-executions.ts';

interface LeaseKeeperOptions {
  leaseMs: number;
  /** Maximum number of executions that the worker runs at once. */
  concurrency: number;
  /** Node types of installed packages, published to other workers; default: no types. */
  nodeTypes?: readonly string[];
  /**
   * Makes a thread also renew the lease of this id while the event loop is busy; null: stops that.
   */
  keepLease?(id: WorkerId | null): void;
  /** Shown to operators with the lease. */
  about?: Pick<WorkerRegistration, 'version' | 'packages'>;
  /** The worker's current load; absent: not reported. */
  load?(): WorkerLoad;
  logger: Logger;
}

/**
 * Renews this worker's lease and detects lost executions.
 *
 * States: unregistered → (start) → registered → renew every third of the lease, so that two beats
 * may fail → (the row is gone: another process reaped it) → its executions are aborted, and it is
 * registered again under a new id. `stop` ends the beats; `release` deletes the lease.
 *
 * Each beat also compares the executions in flight with the database. In flight but no longer
 * owned: it was stopped and the signal was lost, so it is aborted. Owned but not in flight: its
 * claim or its end failed halfway; no other process would end it, so this one does.
 */
export class LeaseKeeper {
  readonly #workers: WorkerRepository;
  readonly #inFlightExecutions: InFlightExecutions;
  readonly #options: LeaseKeeperOptions;
  #id: WorkerId = randomId();
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #contactAt = 0;
  #steadySince: number | undefined;
  /**
   * The last renewal, in database time, and the local time of its request (`performance.now()`).
   */
  #renewal: { at: Date; askedAt: number } | undefined;
  #stopped = false;

  constructor(workers: WorkerRepository, inFlightExecutions: InFlightExecutions, options: LeaseKeeperOptions) {
    this.#workers = workers;
    this.#inFlightExecutions = inFlightExecutions;
    this.#options = options;
  }

  /** Changes when a lost lease is replaced. */
  get workerId(): WorkerId {
    return this.#id;
  }

  get beatMs(): number {
    return Math.ceil(this.#options.leaseMs / 3);
  }

  /** Whether the database responded within the lease. */
  get alive(): boolean {
    return performance.now() - this.#contactAt < this.#options.leaseMs;
  }

  /**
   * The last renewal, in database time, after a period in which every beat succeeded quickly and
   * the database clock did not jump: other workers could renew, too, so workers whose lease had
   * expired by then are dead.
   */
  get steadyAt(): Date | undefined {
    const steadyMs = performance.now() - (this.#steadySince ?? Number.POSITIVE_INFINITY);
    return steadyMs > 2 * this.beatMs ? this.#renewal?.at : undefined;
  }

  /** Throws if the database cannot be reached. */
  async start(): Promise<void> {
    await this.#register();
    this.#noteContact();
    this.#schedule();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Waits for a beat in flight, so that it cannot restore the lease. */
  async release(): Promise<void> {
    this.stop();
    await this.#beating;
    this.#options.keepLease?.(null);
    await this.#workers.release(this.#id);
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat();
    }, this.beatMs);
  }

  async #beat(): Promise<void> {
    const { logger, leaseMs, load } = this.#options;
    const askedAt = performance.now();
    try {
      const at = await this.#workers.renew(this.#id, leaseMs, load?.());
      if (!at) await this.#registerAgain();
      if (performance.now() - askedAt > this.beatMs || (at && this.#clockJumpedTo(at))) this.#steadySince = undefined;
      this.#renewal = at && { at, askedAt };
      this.#noteContact();
      await this.#offerTypes();
      await this.#compare();
    } catch (error) {
      this.#steadySince = undefined;
      logger.warn({ err: error }, 'cannot renew the lease');
    }
    this.#schedule();
  }

  /**
   * Whether the database clock moved forward by more than the time that elapsed here, plus a beat:
   * it was set, or another server took over. Leases of live workers may then appear to have
   * expired.
   */
  #clockJumpedTo(at: Date): boolean {
    if (!this.#renewal) return false;
    const elapsedMs = performance.now() - this.#renewal.askedAt;
    return at.getTime() - this.#renewal.at.getTime() > elapsedMs + this.beatMs;
  }

  async #compare(): Promise<void> {
    const inFlightBefore = this.#inFlightExecutions.claimedRefs;
    const ours = await this.#workers.listClaimed(this.#id);
    const attempts = new Map(ours.map((ref) => [ref.executionId, ref.attempt]));
    this.#inFlightExecutions.abortAttempts(
      inFlightBefore.filter((ref) => attempts.get(ref.executionId) !== ref.attempt),
      'canceled',
    );
    // Compared only now: executions claimed in the meantime are in flight, and executions that
    // ended in the meantime are guarded by their status.
    const forgotten = ours.filter(({ executionId }) => !this.#inFlightExecutions.has(executionId));
    if (forgotten.length === 0) return;
    const executionIds = await this.#workers.crashForgotten(this.#id, forgotten);
    if (executionIds.length > 0) this.#options.logger.error({ executionIds }, 'executions were claimed but not running');
  }

  async #registerAgain(): Promise<void> {
    if (this.#stopped) return;
    this.#options.logger.error({ workerId: this.#id }, 'the lease was lost; aborting its executions');
    // Excludes executions whose claim is in flight: it fails under the old id and is repeated under
    // the new one.
    this.#inFlightExecutions.abortAttempts(this.#inFlightExecutions.claimedRefs, 'lease-lost');
    this.#id = randomId();
    await this.#register();
  }

  async #register(): Promise<void> {
    const { about, concurrency, leaseMs } = this.#options;
    const worker = { id: this.#id, hostname: hostname(), pid: process.pid, concurrency, ...about };
    await this.#workers.register(worker, leaseMs);
    this.#options.keepLease?.(this.#id);
    await this.#offerTypes();
  }

  async #offerTypes(): Promise<void> {
    const { nodeTypes = [] } = this.#options;
    if (nodeTypes.length > 0) await this.#workers.offerTypes(nodeTypes);
  }

  #noteContact(): void {
    this.#contactAt = performance.now();
    this.#steadySince ??= this.#contactAt;
  }
}
