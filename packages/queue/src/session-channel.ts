import { type RedisClient, translateRedisError } from './redis.ts';
import type { SealedPublisher, SealedSubscriber } from './sealed-messages.ts';

const channelOf = (prefix: string, session: string) => `${prefix}:session:${session}`;
/** Exists while a process listens; after a crash, until it expires. */
const markOf = (prefix: string, session: string) => `${prefix}:open-session:${session}`;

/** Connections to the same Redis. */
interface SessionPorts {
  redis: Pick<RedisClient, 'set' | 'del' | 'exists'>;
  publisher: SealedPublisher;
  subscriber: SealedSubscriber;
}

/**
 * Sends messages to the process that holds a client's event stream, over one channel per session.
 * Without a listener they are lost.
 */
export class SessionChannel {
  readonly #ports: SessionPorts;
  readonly #prefix: string;

  constructor(ports: SessionPorts, prefix: string) {
    this.#ports = ports;
    this.#prefix = prefix;
  }

  /** Throws `UnavailableError` while Redis is unreachable. */
  publish(session: string, text: string): Promise<void> {
    return this.#ports.publisher.publish(channelOf(this.#prefix, session), text);
  }

  /** Whether a process listens. Throws `UnavailableError` while Redis is unreachable. */
  async isOpen(session: string): Promise<boolean> {
    try {
      return (await this.#ports.redis.exists(markOf(this.#prefix, session))) > 0;
    } catch (error) {
      throw translateRedisError(error);
    }
  }

  /**
   * Calls `onText` for each message, for at most `lifeMs`. Resolves to the function that ends the
   * subscription, once Redis has confirmed it. Throws `UnavailableError` while Redis is
   * unreachable.
   */
  async listen(session: string, lifeMs: number, onText: (text: string) => void): Promise<() => Promise<void>> {
    const { redis, subscriber } = this.#ports;
    const channel = channelOf(this.#prefix, session);
    const mark = markOf(this.#prefix, session);
    await subscriber.listen(channel, onText);
    try {
      await redis.set(mark, '1', 'PX', lifeMs);
    } catch (error) {
      await subscriber.stop(channel, onText);
      throw translateRedisError(error);
    }
    return async () => {
      // If Redis is unreachable, the mark expires.
      await Promise.all([subscriber.stop(channel, onText), redis.del(mark).catch(() => undefined)]);
    };
  }
}
