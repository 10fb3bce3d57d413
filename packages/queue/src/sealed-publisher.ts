import type { Redis } from 'ioredis';
import type { MessageSeal } from './message-seal.ts';
import { translateRedisError } from './redis.ts';

/**
 * Publishes sealed messages. One per process: receivers accept the messages of a seal only in the
 * order of one connection.
 */
export class SealedPublisher {
  readonly #redis: Redis;
  readonly #seal: MessageSeal;

  /** `redis`: a producer connection. */
  constructor(redis: Redis, seal: MessageSeal) {
    this.#redis = redis;
    this.#seal = seal;
  }

  /** Throws `UnavailableError` while Redis is unreachable. */
  async publish(channel: string, text: string): Promise<void> {
    await this.#redis.publish(channel, this.#seal.seal(channel, text)).catch((error: unknown) => {
      throw translateRedisError(error);
    });
  }
}
