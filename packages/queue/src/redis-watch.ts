import { errorMessage, isAppError, repeatedly, within } from '@sluice/domain';
import { Cluster } from 'ioredis';
import { type RedisClient, translateRedisError } from './redis.ts';

const intervalMs = 500;
const silenceMs = 1_250;
/**
 * Grace period in milliseconds for Redis to respond again before `lost` fires: a restart or a
 * failover takes about that long.
 */
const graceMs = 500;
const lastSilenceMs = 500;

/** A producer connection, and a check whether its servers accept writes. */
interface WatchedRedis {
  readonly status: string;
  probe(): Promise<unknown>;
}

/**
 * In a cluster, every node with keys that have these prefixes must accept writes. The write of the
 * probe changes nothing: Redis does not create a key for an empty string.
 */
export function watched(redis: RedisClient, prefixes: readonly string[]): WatchedRedis {
  const probed = redis instanceof Cluster ? prefixes : prefixes.slice(0, 1);
  return {
    get status() {
      return redis.status;
    },
    probe: () => Promise.all(probed.map((prefix) => redis.setrange(`${prefix}:writable`, 0, ''))),
  };
}

const unreachable = 'redis cannot be reached';

/**
 * Detects within two seconds that Redis no longer accepts writes, even if it hangs, and within half
 * a second that it does again. Requests that wait for a notification from Redis are informed within
 * three seconds (Contract 1.3).
 */
export class RedisWatch {
  readonly #redis: WatchedRedis;
  #problem: string | undefined;
  readonly #closing = new AbortController();
  readonly #onLost: () => void;
  /** Grace timer; set during an outage. */
  #grace: NodeJS.Timeout | undefined;
  #outage = new AbortController();

  /** The watch does not own `redis`. `onLost`: called when `lost` has fired. */
  constructor(redis: WatchedRedis, onLost = () => {}) {
    this.#redis = redis;
    this.#onLost = onLost;
    // `#beat` does not fail.
    repeatedly(() => this.#beat(), { pauseMs: intervalMs, signal: this.#closing.signal, onError: () => undefined });
  }

  get up(): boolean {
    return this.problem === undefined;
  }

  /** Why Redis cannot be used; `undefined` if it can. */
  get problem(): string | undefined {
    return this.#redis.status === 'ready' ? this.#problem : (this.#problem ?? unreachable);
  }

  /**
   * Fires when Redis has not accepted writes for a second. Replaced by a new signal when it does
   * again.
   */
  get lost(): AbortSignal {
    return this.#outage.signal;
  }

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#grace);
  }

  async #beat(): Promise<void> {
    const problem = await this.#probe(silenceMs);
    if (this.#closing.signal.aborted) return;
    this.#problem = problem;
    this.#note();
  }

  async #probe(ms: number): Promise<string | undefined> {
    const probed = this.#redis.probe().then(() => ({ problem: undefined }), toProblem);
    const result = await within(ms, probed, this.#closing.signal);
    return result ? result.problem : unreachable;
  }

  #note(): void {
    if (this.#problem !== undefined) {
      this.#grace ??= setTimeout(() => void this.#lose(), graceMs).unref();
      return;
    }
    clearTimeout(this.#grace);
    this.#grace = undefined;
    if (this.#outage.signal.aborted) this.#outage = new AbortController();
  }

  /**
   * Probes once more: if our own event loop was busy, the next beat may be as late as the end of
   * the grace period.
   */
  async #lose(): Promise<void> {
    const problem = await this.#probe(lastSilenceMs);
    if (problem === undefined || this.#problem === undefined || this.#closing.signal.aborted) return;
    this.#outage.abort();
    this.#onLost();
  }
}

/** Callers may see it, so it does not contain other errors of the server. */
function toProblem(error: unknown): { problem: string } {
  const translated = translateRedisError(error);
  return { problem: isAppError(translated) ? errorMessage(translated) : unreachable };
}
