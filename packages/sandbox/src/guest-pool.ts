import { UnavailableError } from '@sluice/domain';
import { GuestThread, type TimedOutcome } from './guest-thread-handle.ts';
import type { GuestCall } from './protocol.ts';

export interface GuestPoolOptions {
  memoryMb: number;
  threads: number;
  /** Milliseconds after which a thread without work ends. */
  idleMs: number;
}

/** Milliseconds after which a call counts as slow: its thread no longer stands in the way of others. */
export const slowAfterMs = 250;

/**
 * `threads` threads, one call at a time each. They start when a call finds none free, and those that were ended (deadline, abort, a
 * fault, idleness) are replaced by the next call that needs one. Calls wait in the order in which they came.
 *
 * A slow call does not count: a spare thread may stand in for its own, at most as many as there are threads, so that code which
 * runs into its deadline holds up the others for a moment only. Spares end as soon as they are one too many.
 */
export class GuestPool {
  readonly #options: GuestPoolOptions;
  readonly #live = new Set<GuestThread>();
  readonly #ending = new Set<Promise<void>>();
  /** Those without work, with what will end them. The one that worked last is taken first, so that spare ones grow idle. */
  readonly #idle: { thread: GuestThread; timer: NodeJS.Timeout }[] = [];
  readonly #waiting: PromiseWithResolvers<GuestThread>[] = [];
  readonly #slow = new Set<GuestThread>();
  #closed = false;

  constructor(options: GuestPoolOptions) {
    this.#options = options;
  }

  /** Threads that are up. */
  get threadCount(): number {
    return this.#live.size;
  }

  /** Rejects with the signal's reason as soon as it fires, and with an `UnavailableError` once the pool is closed. */
  async run(call: GuestCall, signal: AbortSignal): Promise<TimedOutcome> {
    signal.throwIfAborted();
    if (this.#closed) throw closedError();
    const thread = this.#takeFree() ?? (await this.#waitForFree(signal));
    const slow = setTimeout(() => this.#goOnWithout(thread), slowAfterMs);
    try {
      return await thread.call(call, signal);
    } finally {
      clearTimeout(slow);
      this.#slow.delete(thread);
      this.#release(thread);
    }
  }

  /** Ends all threads, and with them the calls in flight. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#idle) clearTimeout(timer);
    for (const waiter of this.#waiting.splice(0)) waiter.reject(closedError());
    await Promise.all([...[...this.#live].map((thread) => thread.terminate()), ...this.#ending]);
  }

  #takeFree(): GuestThread | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (!idle.thread.ended) return idle.thread;
      this.#forget(idle.thread);
    }
    return this.#live.size < this.#limit ? this.#start() : undefined;
  }

  get #limit(): number {
    const { threads } = this.#options;
    return threads + Math.min(this.#slow.size, threads);
  }

  #goOnWithout(thread: GuestThread): void {
    this.#slow.add(thread);
    this.#serveNext();
  }

  async #waitForFree(signal: AbortSignal): Promise<GuestThread> {
    const waiter = Promise.withResolvers<GuestThread>();
    const onAbort = () => {
      const place = this.#waiting.indexOf(waiter);
      if (place >= 0) this.#waiting.splice(place, 1);
      waiter.reject(signal.reason);
    };
    this.#waiting.push(waiter);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await waiter.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #start(): GuestThread {
    const thread = new GuestThread({ memoryMb: this.#options.memoryMb });
    this.#live.add(thread);
    return thread;
  }

  #release(thread: GuestThread): void {
    if (thread.ended) this.#forget(thread);
    else if (this.#live.size > this.#limit) this.#retire(thread);
    else this.#rest(thread);
    this.#serveNext();
  }

  #serveNext(): void {
    const next = !this.#closed && this.#waiting.length > 0 ? this.#takeFree() : undefined;
    if (next) this.#waiting.shift()?.resolve(next);
  }

  #rest(thread: GuestThread): void {
    const timer = setTimeout(() => this.#retire(thread), this.#options.idleMs);
    timer.unref();
    this.#idle.push({ thread, timer });
  }

  #retire(thread: GuestThread): void {
    const place = this.#idle.findIndex((idle) => idle.thread === thread);
    if (place >= 0) this.#idle.splice(place, 1);
    this.#forget(thread);
    void thread.terminate();
  }

  #forget(thread: GuestThread): void {
    this.#live.delete(thread);
    const exited = thread.exited.then(() => void this.#ending.delete(exited));
    this.#ending.add(exited);
  }
}

function closedError(): UnavailableError {
  return new UnavailableError('the sandbox is closed');
}
