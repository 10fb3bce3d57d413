import { Cluster } from 'ioredis';
import type { MessageSeal } from './message-seal.ts';
import { type RedisClient, translateRedisError } from './redis.ts';

const lua = `return redis.call('PUBLISH', KEYS[1], ARGV[1])`;

/**
 * Publishes sealed messages. One per process: receivers accept the messages of a seal only in the
 * order of one connection.
 */
export class SealedPublisher {
  readonly #redis: RedisClient;
  readonly #seal: MessageSeal;

  /** `redis`: a producer connection. */
  constructor(redis: RedisClient, seal: MessageSeal) {
    this.#redis = redis;
    this.#seal = seal;
  }

  /** Throws `UnavailableError` while Redis is unreachable. */
  async publish(channel: string, text: string): Promise<void> {
    try {
      await this.#send(channel, this.#seal.seal(channel, text));
    } catch (error) {
      throw translateRedisError(error);
    }
  }

  /**
   * A cluster accepts messages at any node, and the client would choose a different one each time.
   * A script is sent to the node of its key, so messages keep their order.
   */
  #send(channel: string, message: Buffer): Promise<unknown> {
    if (this.#redis instanceof Cluster) return this.#redis.eval(lua, 1, channel, message);
    return this.#redis.publish(channel, message);
  }
}
