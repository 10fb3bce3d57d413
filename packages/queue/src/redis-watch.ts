import { silence } from '@sluice/domain';
import type { Redis } from 'ioredis';

const intervalMs = 500;
const silenceMs = 2_000;

/** Tells within about two seconds that Redis no longer answers, also when it hangs, and within half a second that it is back. */
export class RedisWatch {
  readonly #redis: Redis;
  #timer: NodeJS.Timeout | undefined;
  #up = true;
  #closed = false;

  /** `redis`: a producer connection; the watch does not own it. */
  constructor(redis: Redis) {
    this.#redis = redis;
    this.#schedule();
  }

  get up(): boolean {
    return this.#up && this.#redis.status === 'ready';
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#beat(), intervalMs);
    this.#timer.unref();
  }

  async #beat(): Promise<void> {
    const pong = this.#redis.ping().then(
      () => true,
      () => false,
    );
    this.#up = await Promise.race([pong, silence(silenceMs)]);
    this.#schedule();
  }
}
