import { currentMemory, type MemoryReservation, UnavailableError } from '@sluice/domain';
import { closedError } from '../errors.ts';
import { FairQueue, waitForTurn } from '../fair-queue.ts';
import { maxOutputSize, maxRequestLength, sizeOf } from '../limits.ts';
import type { FileReader, GuestCall } from '../protocol.ts';
import { type AdmittedCall, type CallOrigin, slowAfterMs, ThreadLimits } from '../thread-limits.ts';
import { GuestThread, type TimedOutcome } from './guest-thread-handle.ts';

interface GuestPoolOptions {
  memoryMb: number;
  threads: number;
  /** Milliseconds after which an idle thread stops and releases its memory. Default: 60,000. */
  idleMs?: number;
}

const usualIdleMs = 60_000;
/** Milliseconds after which an idle spare thread stops. */
const spareIdleMs = 2_000;

/** The thread of a call that may start. */
interface Assigned {
  thread: GuestThread;
  admitted: AdmittedCall;
}

/** The call's turn came, but its result has to wait for memory. */
interface MemoryWait {
  memoryFree: Promise<void>;
}

interface Waiting extends PromiseWithResolvers<Assigned | MemoryWait> {
  origin: CallOrigin;
  memory: MemoryReservation | undefined;
}

interface Idle {
  thread: GuestThread;
  timer: NodeJS.Timeout;
}

/**
 * Runs one call at a time on each of `threads` threads, plus spare threads for slow calls
 * (`ThreadLimits`). A thread starts when a call may run and no thread is idle; a terminated thread
 * (deadline, abort, fault, idleness) is replaced when the next call needs it. Calls wait in a
 * `FairQueue`, and without a thread while there is no memory for their result.
 */
export class GuestPool {
  readonly #options: GuestPoolOptions;
  readonly #limits: ThreadLimits;
  readonly #waiting = new FairQueue<Waiting>();
  readonly #live = new Set<GuestThread>();
  readonly #ending = new Set<Promise<void>>();
  /**
   * Idle threads with their stop timers. The most recently used thread of a kind is used first, so
   * that spare threads remain idle.
   */
  readonly #idle: Idle[] = [];
  #closed = false;

  constructor(options: GuestPoolOptions) {
    this.#options = options;
    this.#limits = new ThreadLimits(options);
  }

  get maxRequestLength(): number {
    return maxRequestLength(this.#options.memoryMb * 1024 * 1024);
  }

  /** Quick calls that wait only for a thread, per thread. */
  get waiting(): number {
    return this.#waiting.count(({ origin }) => this.#limits.needsOnlyThread(origin)) / this.#limits.threads;
  }

  /** Number of running threads. */
  get threadCount(): number {
    return this.#live.size;
  }

  /**
   * Rejects with the signal's reason as soon as it fires, and with an `UnavailableError` if no
   * thread can be started or the pool is closed.
   */
  async run(call: GuestCall, origin: CallOrigin, signal: AbortSignal, readFile?: FileReader): Promise<TimedOutcome> {
    signal.throwIfAborted();
    if (this.#closed) throw closedError();
    const memory = currentMemory();
    const { thread, admitted } = await this.#assignThread(origin, memory, signal).catch((error: unknown) => {
      memory?.forgoResult();
      throw error;
    });
    let slow: NodeJS.Timeout | undefined;
    const onBegin = () => {
      slow = setTimeout(() => this.#slowDown(admitted), slowAfterMs);
    };
    let done: TimedOutcome | undefined;
    try {
      done = await thread.call({ call, workflowId: origin.workflowId }, signal, { onBegin, readFile });
      return done;
    } finally {
      clearTimeout(slow);
      memory?.countResult(sizeOf(done?.outcome), maxOutputSize);
      this.#limits.end(admitted, done && (done.cpuMs ?? done.durationMs));
      this.#release(thread, done);
    }
  }

  /** Stops all threads and the calls in flight. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { timer } of this.#idle) clearTimeout(timer);
    for (const waiting of this.#waiting.drain()) waiting.reject(closedError());
    await Promise.all([...[...this.#live].map((thread) => thread.terminate()), ...this.#ending]);
  }

  async #assignThread(origin: CallOrigin, memory: MemoryReservation | undefined, signal: AbortSignal): Promise<Assigned> {
    for (;;) {
      const waiting: Waiting = { ...Promise.withResolvers<Assigned | MemoryWait>(), origin, memory };
      const turn = await waitForTurn(this.#waiting, waiting, signal, () => this.#serve());
      if ('thread' in turn) return turn;
      await turn.memoryFree;
    }
  }

  /** Starts all calls that may go. */
  #serve(): void {
    while (!this.#closed) {
      const next = this.#waiting.next(({ origin }) => this.#limits.mayBegin(origin));
      if (!next) return;
      const memoryFree = next.memory?.reserveResult(maxOutputSize);
      if (memoryFree) {
        next.resolve({ memoryFree });
        continue;
      }
      const admitted = this.#limits.begin(next.origin);
      try {
        next.resolve({ admitted, thread: this.#takeIdle(admitted) ?? this.#start(admitted) });
      } catch (error) {
        next.memory?.countResult(0, maxOutputSize);
        this.#limits.end(admitted, undefined);
        next.reject(new UnavailableError('a sandbox thread could not be started', error));
      }
    }
  }

  #slowDown(admitted: AdmittedCall): void {
    this.#limits.slowDown(admitted);
    this.#serve();
  }

  /** A call that starts as slow uses a low-priority thread. */
  #takeIdle({ isSlow }: AdmittedCall): GuestThread | undefined {
    const isOfKind = ({ thread }: Idle) => thread.lowPriority === isSlow;
    for (let at = this.#idle.findLastIndex(isOfKind); at >= 0; at = this.#idle.findLastIndex(isOfKind)) {
      const [idle] = this.#idle.splice(at, 1);
      clearTimeout(idle?.timer);
      if (idle && !idle.thread.ended) return idle.thread;
      if (idle) this.#forget(idle.thread);
    }
    return undefined;
  }

  /** Replaces an idle thread of the other kind if the maximum number of threads is running. */
  #start({ isSlow }: AdmittedCall): GuestThread {
    const [idle] = this.#idle;
    if (idle && this.#live.size >= this.#limits.max) this.#retire(idle);
    const thread = new GuestThread({ memoryMb: this.#options.memoryMb, lowPriority: isSlow });
    this.#live.add(thread);
    return thread;
  }

  #release(thread: GuestThread, done: TimedOutcome | undefined): void {
    if (thread.ended) this.#forget(thread);
    else this.#rest(thread, done !== undefined && 'reply' in done.outcome);
    this.#serve();
  }

  /** A thread that must recreate its guest is used last. */
  #rest(thread: GuestThread, isReady: boolean): void {
    const { idleMs = usualIdleMs } = this.#options;
    const spareMs = Math.min(spareIdleMs, idleMs);
    const idle: Idle = { thread, timer: afterIdleness(() => this.#endSpare(idle, idleMs - spareMs), spareMs) };
    if (isReady) this.#idle.push(idle);
    else this.#idle.unshift(idle);
  }

  #endSpare(idle: Idle, restMs: number): void {
    if (this.#live.size > this.#limits.threads || restMs === 0) this.#retire(idle);
    else idle.timer = afterIdleness(() => this.#retire(idle), restMs);
  }

  #retire(idle: Idle): void {
    clearTimeout(idle.timer);
    this.#idle.splice(this.#idle.indexOf(idle), 1);
    this.#forget(idle.thread);
    void idle.thread.terminate();
  }

  #forget(thread: GuestThread): void {
    this.#live.delete(thread);
    const exited = thread.exited.then(() => void this.#ending.delete(exited));
    this.#ending.add(exited);
  }
}

function afterIdleness(end: () => void, ms: number): NodeJS.Timeout {
  return setTimeout(end, ms).unref();
}
