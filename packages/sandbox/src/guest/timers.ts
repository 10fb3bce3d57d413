interface Timer {
  id: number;
  dueMs: number;
  /** Sequence number, incremented when a timer is set and when it repeats. */
  order: number;
  /** Absent: fires once. */
  everyMs?: number;
  run: () => unknown;
}

/** The limit of browsers and Node; a longer delay counts as zero. */
const maxDelayMs = 2 ** 31 - 1;

/** Captured before user text runs. */
const { now } = Date;

/**
 * Timers of user code. The host waits for the next timer between the engine's jobs, so a timer
 * never interrupts code. They fire in the order of their times; equal times, in the order in which
 * they were set.
 */
export class Timers {
  /** A binary heap: no timer precedes the timer at half its index. */
  #waiting: Timer[] = [];
  /** Timers by ID. A timer that is missing here was cleared and does not fire. */
  readonly #set = new Map<number, Timer>();
  #lastId = 0;
  #lastOrder = 0;

  /** The functions that user code calls. */
  globals(): Record<string, unknown> {
    const clear = (id: unknown) => this.#clear(id);
    return {
      setTimeout: (run: unknown, delayMs?: unknown, ...args: unknown[]) => this.#add(run, delayOf(delayMs), args),
      setInterval: (run: unknown, delayMs?: unknown, ...args: unknown[]) => this.#add(run, delayOf(delayMs), args, true),
      setImmediate: (run: unknown, ...args: unknown[]) => this.#add(run, 0, args),
      clearTimeout: clear,
      clearInterval: clear,
      clearImmediate: clear,
    };
  }

  /** Milliseconds until the next timer is due; `undefined` if no timer is set. */
  untilNext(): number | undefined {
    const next = this.#next();
    return next && Math.max(0, next.dueMs - now());
  }

  /** Runs the next timer if it is due. Returns what its function returns, and throws its errors. */
  fireNext(): unknown {
    const next = this.#next();
    if (!next || next.dueMs > now()) return undefined;
    this.#takeNext();
    if (next.everyMs === undefined) this.#set.delete(next.id);
    else this.#insert({ ...next, dueMs: now() + next.everyMs });
    return next.run();
  }

  #add(run: unknown, delayMs: number, args: unknown[], repeats = false): number {
    if (typeof run !== 'function') throw new TypeError('a timer takes a function to call');
    this.#lastId += 1;
    const timer: Timer = { id: this.#lastId, dueMs: now() + delayMs, order: 0, run: () => run(...args) };
    if (repeats) timer.everyMs = delayMs;
    this.#insert(timer);
    return timer.id;
  }

  #clear(id: unknown): void {
    this.#set.delete(Number(id));
    // Cleared timers remain in the heap until they are due, but never make up more than half of it.
    if (this.#waiting.length > 2 * this.#set.size + 16) this.#waiting = [...this.#set.values()].sort(order);
  }

  /** The next timer that is not cleared. */
  #next(): Timer | undefined {
    for (;;) {
      const next = this.#waiting[0];
      if (!next || this.#set.get(next.id) === next) return next;
      this.#takeNext();
    }
  }

  #insert(timer: Timer): void {
    this.#lastOrder += 1;
    timer.order = this.#lastOrder;
    this.#set.set(timer.id, timer);
    const heap = this.#waiting;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] as Timer;
      if (order(parent, timer) < 0) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = timer;
  }

  #takeNext(): void {
    const heap = this.#waiting;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      const [left, right] = [heap[below], heap[below + 1]];
      if (left && right && order(right, left) < 0) below += 1;
      const child = heap[below];
      if (!child || order(last, child) < 0) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
  }
}

function order(a: Timer, b: Timer): number {
  return a.dueMs - b.dueMs || a.order - b.order;
}

/** At least 1, as in Node. */
function delayOf(delayMs: unknown): number {
  const delay = Math.trunc(Number(delayMs));
  return delay >= 1 && delay <= maxDelayMs ? delay : 1;
}
