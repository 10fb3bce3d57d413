interface Timer {
  id: number;
  dueMs: number;
  /** Absent: it fires once. */
  everyMs?: number;
  run: () => unknown;
}

/** The bound of the web and of Node; a longer delay counts as none. */
const maxDelayMs = 2 ** 31 - 1;

/** Taken before user text ran. */
const { now } = Date;

/**
 * Timers of user code. The host waits for the next one between the jobs of the engine, so a timer never interrupts code. They fire
 * in the order of their times; those of the same time in the order in which they were set.
 */
export class Timers {
  /** The next one first. */
  readonly #waiting: Timer[] = [];
  #lastId = 0;

  /** The functions that user code calls. */
  globals(): Record<string, unknown> {
    const clear = (id: unknown) => this.#clear(id);
    return {
      setTimeout: (run: unknown, delayMs?: unknown, ...args: unknown[]) => this.#set(run, delayOf(delayMs), args),
      setInterval: (run: unknown, delayMs?: unknown, ...args: unknown[]) => this.#set(run, delayOf(delayMs), args, true),
      setImmediate: (run: unknown, ...args: unknown[]) => this.#set(run, 0, args),
      clearTimeout: clear,
      clearInterval: clear,
      clearImmediate: clear,
    };
  }

  /** Milliseconds until the next timer is due; `undefined`: there is none. */
  untilNext(): number | undefined {
    const [next] = this.#waiting;
    return next && Math.max(0, next.dueMs - now());
  }

  /** Runs the next timer, if it is due. Throws what it throws. */
  fireNext(): void {
    const [next] = this.#waiting;
    if (!next || next.dueMs > now()) return;
    this.#waiting.shift();
    if (next.everyMs !== undefined) this.#insert({ ...next, dueMs: now() + next.everyMs });
    next.run();
  }

  #set(run: unknown, delayMs: number, args: unknown[], repeats = false): number {
    if (typeof run !== 'function') throw new TypeError('a timer takes a function to call');
    this.#lastId += 1;
    const timer: Timer = { id: this.#lastId, dueMs: now() + delayMs, run: () => run(...args) };
    if (repeats) timer.everyMs = delayMs;
    this.#insert(timer);
    return timer.id;
  }

  #insert(timer: Timer): void {
    const before = this.#waiting.findLastIndex(({ dueMs }) => dueMs <= timer.dueMs);
    this.#waiting.splice(before + 1, 0, timer);
  }

  #clear(id: unknown): void {
    const at = this.#waiting.findIndex((timer) => timer.id === Number(id));
    if (at >= 0) this.#waiting.splice(at, 1);
  }
}

/** At least 1, as in Node. */
function delayOf(delayMs: unknown): number {
  const delay = Math.trunc(Number(delayMs));
  return delay >= 1 && delay <= maxDelayMs ? delay : 1;
}
