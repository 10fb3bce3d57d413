import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '../errors.ts';
import { untilAborted } from './bounded-wait.ts';

/** Size in bytes up to which work never waits: the total of so little data is small. */
export const smallBytes = 1024 * 1024;
/**
 * How long data that arrives waits for memory. Its sender waits too, so a longer wait would end
 * with an error of the connection.
 */
const maxArrivalMs = 180_000;

interface Waiter {
  /** Bytes to reserve, including those received; for a result, its own. */
  bytes: number;
  /** Whether it waits to compute a result; see `reserveResult`. */
  isResult: boolean;
  resumed: Promise<void>;
  resume: () => void;
}

interface ReservationOwner {
  fits(bytes: number): boolean;
  canComputeResult(bytes: number): boolean;
  waits(): void;
  lowered(): void;
  closed(): void;
}

const current = new AsyncLocalStorage<MemoryReservation>();

/** The memory of the execution, poll, or listener that calls; `undefined` for other code. */
export function currentMemory(): MemoryReservation | undefined {
  return current.getStore();
}

/** Properties of the work that memory is reserved for. */
export interface ReservationOptions {
  /** Default: all such work is of one project. */
  projectId?: string;
  /**
   * Whether the work has no end, as a listener. Data that it receives then counts until its reader
   * passes it on, and computed results do not count. Default: all data counts until the node run,
   * or the work, ends.
   */
  isEndless?: boolean;
}

/** Memory reserved for the data of one execution, response, poll, or listener. */
export class MemoryReservation implements Disposable {
  readonly projectId: string;
  readonly #signal: AbortSignal;
  readonly #owner: ReservationOwner;
  readonly #isEndless: boolean;
  #retained = 0;
  #reserved = 0;
  #received = 0;
  #largest = 0;
  #waiter: Waiter | undefined;
  /**
   * Size of results that are computed, and of those that are not yet part of an output; see
   * `reserveResult`.
   */
  #computing = 0;
  /** Reserved size of results that are computed now. */
  #reservedResults = 0;
  /** Size of a result that may be computed after a wait. */
  #admitted = 0;
  #isClosed = false;

  constructor(signal: AbortSignal, owner: ReservationOwner, { projectId = '', isEndless = false }: ReservationOptions = {}) {
    this.projectId = projectId;
    this.#signal = signal;
    this.#owner = owner;
    this.#isEndless = isEndless;
  }

  /** Bytes of its data and of the data that arrives or is expected. */
  get size(): number {
    return this.#retained + this.#incoming + this.#computing;
  }

  get computing(): number {
    return this.#computing;
  }

  /** Whether a result is computed now. Otherwise, `computing` is the size of computed ones. */
  get isComputing(): boolean {
    return this.#reservedResults > 0;
  }

  get waiter(): Waiter | undefined {
    return this.#waiter;
  }

  /** Bytes that it waits for. */
  get missing(): number {
    const { bytes, isResult } = this.#waiter ?? { bytes: 0, isResult: true };
    return isResult ? bytes : Math.max(0, bytes - this.#incoming);
  }

  get #incoming(): number {
    return Math.max(this.#reserved, this.#received);
  }

  /** Runs the work's code: `currentMemory` is this reservation in all that it calls. */
  run<T>(work: () => T): T {
    return current.run(this, work);
  }

  /**
   * Reserves memory for the next data; waits until that much is free. Default: the size of the
   * largest data so far, because most nodes return about as much as they receive. Callers that wait
   * at the same time wait together, for the largest of their sizes. Rejects with the reason of the
   * signal.
   */
  reserve(bytes = this.#largest): void | Promise<void> {
    const isReserved = bytes <= this.#incoming;
    if (!this.#waiter && (isReserved || this.#retained + bytes <= smallBytes || this.#owner.fits(bytes - this.#incoming))) {
      this.#reserved = Math.max(this.#reserved, bytes);
      return;
    }
    return untilAborted(this.#wait(bytes), this.#signal);
  }

  /** Starts a node: what the last one received is now part of its output, or no longer needed. */
  startNode(): void | Promise<void> {
    this.#reservedResults = 0;
    this.#stopComputing(this.#computing);
    if (this.#received > 0) {
      this.#received = 0;
      this.reserveOnly(this.#largest);
    }
    this.#admitted = 0;
    return this.reserve();
  }

  /**
   * Counts data that the running node receives, such as a chunk of a response, until its run ends.
   * Waits until memory is free: the caller reads no more until then. Rejects with the reason of the
   * signal, and with `MEMORY_UNAVAILABLE` after three minutes.
   */
  receive(bytes: number): void | Promise<void> {
    const total = this.#received + bytes;
    const isSmall = total <= this.#reserved || this.#retained + total <= smallBytes;
    if (this.#isClosed || isSmall || (!this.#waiter && this.#owner.fits(total - this.#incoming))) {
      this.#received = total;
      return;
    }
    const wanted = this.#waiter ? this.#waiter.bytes + bytes : Math.max(total, this.#received * 2);
    return this.#arrival(this.#wait(wanted)).then(() => this.count(bytes));
  }

  /** Counts data that has already been received; the next `receive` waits for it. */
  count(bytes: number): void {
    this.#received += bytes;
  }

  /** Ends the count of received data of endless work, which its reader has passed on or dropped. */
  passOn(bytes: number): void {
    if (!this.#isEndless || bytes === 0) return;
    this.#received = Math.max(0, this.#received - bytes);
    this.#reserved = Math.min(this.#reserved, this.#received);
    this.#owner.lowered();
  }

  /**
   * Reserves memory for a result of up to this size, which cannot wait once it is computed;
   * `countResult` ends this part of the reservation. A caller that has to wait releases the thread
   * or other resource that it computes with, and calls this method again once it has another.
   * Rejects with the reason of the signal.
   */
  reserveResult(bytes: number): void | Promise<void> {
    if (bytes <= this.#admitted) {
      this.#admitted = 0;
    } else if (this.#isClosed || (!this.#waiter && this.#owner.canComputeResult(bytes))) {
      this.#beginComputing(bytes);
    } else {
      return untilAborted(this.#wait(bytes, true), this.#signal);
    }
  }

  /**
   * For a caller of `reserveResult` that computes nothing after a wait, because it was aborted:
   * what the wait reserved is free. If that was for another caller, it waits again.
   */
  forgoResult(): void {
    const admitted = this.#admitted;
    this.#admitted = 0;
    if (admitted > 0) this.countResult(0, admitted);
  }

  /**
   * Counts `bytes` of a result for which `reserved` bytes were reserved, until its node's run ends.
   */
  countResult(bytes: number, reserved: number): void {
    const counted = this.#isEndless ? 0 : bytes;
    this.#reservedResults = Math.max(0, this.#reservedResults - reserved);
    this.#computing = Math.max(0, this.#computing + counted - reserved);
    if (reserved > counted) this.#owner.lowered();
  }

  /** Counts arrived data, and lowers the reservation by it. `largest`: its largest part. */
  retain(bytes: number, largest = bytes): void {
    this.#retained += bytes;
    this.#reserved = Math.max(0, this.#reserved - bytes);
    this.#received = Math.max(0, this.#received - bytes);
    this.#largest = Math.max(this.#largest, largest);
    this.#stopComputing(bytes);
  }

  #beginComputing(bytes: number): void {
    this.#computing += bytes;
    this.#reservedResults += bytes;
  }

  #stopComputing(bytes: number): void {
    if (this.#computing === 0) return;
    this.#computing = Math.max(0, this.#computing - bytes);
    this.#owner.lowered();
  }

  /** Lowers the reservation to this many bytes. */
  reserveOnly(bytes: number): void {
    if (this.#reserved <= bytes) return;
    this.#reserved = bytes;
    this.#owner.lowered();
  }

  /** Ends the wait with its bytes reserved. */
  resume(): void {
    if (!this.#waiter) return;
    const { bytes, isResult, resume } = this.#waiter;
    this.#waiter = undefined;
    if (isResult) {
      this.#admitted = bytes;
      this.#beginComputing(bytes);
    } else {
      this.#reserved = bytes;
    }
    resume();
  }

  /** Ends the reservation. Waits, such as that of an abandoned reader, no longer count. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    if (!this.#signal.aborted) this.resume(); // an aborted one rejects
    this.#owner.closed();
  }

  /** Resolves when this many bytes are reserved, including those received; after earlier waits. */
  #wait(bytes: number, isResult = false): Promise<void> {
    if (this.#waiter) {
      if (!isResult && !this.#waiter.isResult) this.#waiter.bytes = Math.max(this.#waiter.bytes, bytes);
      return this.#waiter.resumed;
    }
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
    if (!isResult) this.#reserved = 0;
    this.#waiter = { bytes, isResult, resumed, resume };
    this.#owner.waits();
    return resumed;
  }

  async #arrival(resumed: Promise<void>): Promise<void> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(noMemory()), maxArrivalMs).unref();
    try {
      await untilAborted(resumed, AbortSignal.any([this.#signal, late.signal]));
    } catch (error) {
      if (this.#waiter?.resumed === resumed && !this.#waiter.isResult) this.#stopWaiting(this.#waiter);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #stopWaiting(waiter: Waiter): void {
    waiter.bytes = this.#received;
    this.resume();
  }
}

function noMemory(): AppError {
  return new AppError({
    code: 'MEMORY_UNAVAILABLE',
    message: `the worker had no memory for the data within ${maxArrivalMs / 1_000} seconds, because other executions needed it`,
    kind: 'transient',
  });
}
