import { repeatedly, within } from '@sluice/domain';
import { Cluster } from 'ioredis';
import type { RedisClient } from './redis.ts';

const intervalMs = 500;
const silenceMs = 1_250;
/**
 * Grace period in milliseconds for Redis to respond again before `lost` fires: a restart or a
 * failover takes about that long.
 */
const graceMs = 500;
const lastSilenceMs = 500;

/** A producer connection, and a check whether its servers respond. */
interface WatchedRedis {
  readonly status: string;
  ping(): Promise<unknown>;
}

/** In a cluster, every node with keys that have these prefixes must respond. */
export function watched(redis: RedisClient, prefixes: readonly string[]): WatchedRedis {
  if (!(redis instanceof Cluster)) return redis;
  return {
    get status() {
      return redis.status;
    },
    ping: () => Promise.all(prefixes.map((prefix) => redis.exists(`${prefix}:ping`))),
  };
}

/**
 * Detects within two seconds that Redis no longer responds, even if it hangs, and within half a
 * second that it responds again. Requests that wait for a notification from Redis are informed
 * within three seconds (Contract 1.3).
 */
export class RedisWatch {
  readonly #redis: WatchedRedis;
  #up = true;
  readonly #closing = new AbortController();
  readonly #onLost: () => void;
  /** Grace timer; set while Redis is unreachable. */
  #grace: NodeJS.Timeout | undefined;
  #outage = new AbortController();

  /** The watch does not own `redis`. `onLost`: called when `lost` has fired. */
  constructor(redis: WatchedRedis, onLost = () => {}) {
    this.#redis = redis;
    this.#onLost = onLost;
    // `#beat` does not fail: an error from the server is treated as no response.
    repeatedly(() => this.#beat(), { pauseMs: intervalMs, signal: this.#closing.signal, onError: () => undefined });
  }

  get up(): boolean {
    return this.#up && this.#redis.status === 'ready';
  }

  /**
   * Fires when Redis has been unreachable for a second. Replaced by a new signal when Redis
   * responds again.
   */
  get lost(): AbortSignal {
    return this.#outage.signal;
  }

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#grace);
  }

  async #beat(): Promise<void> {
    const up = await this.#responds(silenceMs);
    if (this.#closing.signal.aborted) return;
    this.#up = up;
    this.#note();
  }

  async #responds(ms: number): Promise<boolean> {
    const pong = this.#redis.ping().then(
      () => true,
      () => false,
    );
    return (await within(ms, pong, this.#closing.signal)) ?? false;
  }

  #note(): void {
    if (!this.#up) {
      this.#grace ??= setTimeout(() => void this.#lose(), graceMs).unref();
      return;
    }
    clearTimeout(this.#grace);
    this.#grace = undefined;
    if (this.#outage.signal.aborted) this.#outage = new AbortController();
  }

  /**
   * Pings once more: if our own event loop was busy, the next beat may be as late as the end of the
   * grace period.
   */
  async #lose(): Promise<void> {
    if ((await this.#responds(lastSilenceMs)) || this.#up || this.#closing.signal.aborted) return;
    this.#outage.abort();
    this.#onLost();
  }
}
