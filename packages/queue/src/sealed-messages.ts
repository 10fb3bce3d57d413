import { errorMessage, within } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { Cluster } from 'ioredis';
import { type RedisClient, translateRedisError } from './redis.ts';

/**
 * Encrypts and authenticates messages, bound to their channel; `@sluice/vault` implements it.
 * `open` accepts each message once, in its sender's order, and never throws.
 */
export interface MessageSeal {
  seal(channel: string, text: string): Buffer;
  open(channel: string, message: Buffer): { text: string } | { refused: string };
}

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

type OnText = (text: string) => void;

/** Milliseconds that Redis may take to confirm a subscription. */
const confirmationMs = 2_000;
/** Milliseconds between two log lines about refused messages. */
const refusalLogMs = 60_000;

interface SealedSubscriberOptions {
  /** A subscriber connection. */
  redis: RedisClient;
  seal: MessageSeal;
  logger: Logger;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Receives sealed messages and opens each once for all its listeners. Drops refused messages, and
 * logs their count. One per process.
 */
export class SealedSubscriber {
  readonly #options: SealedSubscriberOptions;
  readonly #now: () => number;
  readonly #listeners = new Map<string, Set<OnText>>();
  #refused = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor({ now = () => performance.now(), ...options }: SealedSubscriberOptions) {
    this.#options = options;
    this.#now = now;
    options.redis.on('messageBuffer', (channel: Buffer, message: Buffer) => this.#receive(channel.toString(), message));
  }

  /**
   * Calls `onText` for each message from now on. Resolves when Redis has confirmed the
   * subscription, so that no later message is missed; never rejects, and does not wait for an
   * unreachable Redis: the subscription starts when Redis is available again.
   */
  async listen(channel: string, onText: OnText): Promise<void> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(onText));
    await this.#confirm('subscribe', channel);
  }

  /** Stops calling `onText`; resolves when it has received every message published earlier. */
  async stop(channel: string, onText: OnText): Promise<void> {
    if (!this.#listeners.get(channel)?.has(onText)) return;
    // Messages and replies share one ordered connection: once this reply has arrived, so have all
    // earlier messages.
    await this.#confirm('subscribe', channel);
    const listeners = this.#listeners.get(channel);
    listeners?.delete(onText);
    if (listeners?.size !== 0) return;
    this.#listeners.delete(channel);
    void this.#confirm('unsubscribe', channel);
  }

  #receive(channel: string, message: Buffer): void {
    const listeners = this.#listeners.get(channel);
    if (!listeners) return;
    const opened = this.#options.seal.open(channel, message);
    if ('refused' in opened) this.#noteRefusal(channel, opened.refused);
    else for (const onText of [...listeners]) onText(opened.text);
  }

  /** At most one line a minute: any Redis client can send such messages. */
  #noteRefusal(channel: string, reason: string): void {
    this.#refused += 1;
    if (this.#now() - this.#loggedAt < refusalLogMs) return;
    this.#loggedAt = this.#now();
    this.#options.logger.warn({ channel, reason, count: this.#refused }, 'redis messages refused');
    this.#refused = 0;
  }

  async #confirm(command: 'subscribe' | 'unsubscribe', channel: string): Promise<void> {
    const { redis, logger } = this.#options;
    const confirmed = redis[command](channel).catch((error: unknown) => {
      logger.warn({ channel, error: errorMessage(error) }, `cannot ${command}`);
    });
    if (redis.status === 'ready') await within(confirmationMs, confirmed);
  }
}
