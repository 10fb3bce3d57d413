import { monitorEventLoopDelay } from 'node:perf_hooks';
import { maxRefsPerJob } from '@sluice/queue';
import type { Service } from '../services.ts';

/**
 * Minimum, initial, and maximum number of concurrent executions of a worker. It starts with two
 * full jobs, so that one job is claimed while the other ends, each by one statement.
 */
export const adaptiveRange = { min: 10, initial: 2 * maxRefsPerJob, max: 300 } as const;

/** The state of the process since the last adjustment. */
export interface Load {
  /** Executions that run now. */
  running: number;
  /** Whether more executions would run if the limit were higher. */
  isFull: boolean;
  /** Event loop delay in milliseconds, 95th percentile. */
  delayMs: number;
  /** Used fraction of the memory limit of the heap or the process, whichever is greater. */
  memory: number;
  /** Statements that wait for a database connection, per connection. */
  waiting: number;
  /** Quick calls that wait for a thread of the sandbox, per thread. */
  waitingCalls: number;
}

/** Above any of these values, the worker runs fewer executions. */
const pressure = { delayMs: 100, memory: 0.8, waiting: 8 } as const;
/** Below all of these values, it runs more if it has reached its limit. */
const headroom = { delayMs: 30, memory: 0.6, waiting: 2, waitingCalls: 2 } as const;

/**
 * Returns the new maximum number of concurrent executions. It grows by a quarter and shrinks by a
 * third, so that an overloaded worker recovers in a few steps. An unused limit returns to its
 * initial value: a burst after a quiet time may have a different mix of executions.
 */
export function nextLimit(current: number, load: Load): number {
  const { min, initial, max } = adaptiveRange;
  const more = Math.ceil(current * 1.25);
  if (load.delayMs > pressure.delayMs || load.memory > pressure.memory || load.waiting > pressure.waiting)
    return Math.max(min, Math.floor(current * 0.67));
  const hasHeadroom =
    load.delayMs < headroom.delayMs &&
    load.memory < headroom.memory &&
    load.waiting < headroom.waiting &&
    load.waitingCalls < headroom.waitingCalls;
  if (hasHeadroom && load.isFull) return Math.min(max, more);
  if (load.running >= current * 0.5) return current;
  return current > initial ? Math.max(initial, Math.floor(current * 0.95)) : Math.min(initial, more);
}

interface AdaptiveConcurrencyOptions {
  running: () => number;
  /** Whether more executions would run if the limit were higher. */
  isFull: () => boolean;
  /** Statements that wait for a connection, per connection of the pool. */
  waiting: () => number;
  /** Quick calls that wait for a thread of the sandbox, per thread. */
  waitingCalls: () => number;
  /** Used fraction of the memory limit. */
  memory: () => number;
  /** Called after each change of the limit. */
  changed: () => void;
}

/** Limits a worker's concurrent executions from one queue. */
export interface Concurrency extends Service {
  readonly limit: number;
}

/** `auto`: as many as the process has capacity for. */
export function createConcurrency(setting: number | 'auto', options: AdaptiveConcurrencyOptions): Concurrency {
  if (setting === 'auto') return new AdaptiveConcurrency(options);
  return { limit: setting, start: () => undefined, stop: () => undefined };
}

const intervalMs = 250;
const resolutionMs = 10;

/** Adjusts the number of executions that a worker runs at once to its load, four times a second. */
class AdaptiveConcurrency implements Concurrency {
  readonly #options: AdaptiveConcurrencyOptions;
  #limit: number = adaptiveRange.initial;
  #delays: ReturnType<typeof monitorEventLoopDelay> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: AdaptiveConcurrencyOptions) {
    this.#options = options;
  }

  get limit(): number {
    return this.#limit;
  }

  start(): void {
    this.#delays = monitorEventLoopDelay({ resolution: resolutionMs });
    this.#delays.enable();
    this.#timer = setInterval(() => this.#adjust(), intervalMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#delays?.disable();
  }

  #adjust(): void {
    const { running, isFull, waiting, waitingCalls, memory, changed } = this.#options;
    const delayMs = Math.max(0, (this.#delays?.percentile(95) ?? 0) / 1e6 - resolutionMs);
    this.#delays?.reset();
    const before = this.#limit;
    this.#limit = nextLimit(before, {
      running: running(),
      isFull: isFull(),
      delayMs,
      memory: memory(),
      waiting: waiting(),
      waitingCalls: waitingCalls(),
    });
    if (this.#limit !== before) changed();
  }
}
