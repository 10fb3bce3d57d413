import { EventEmitter } from 'node:events';
import { createLogger } from '@sluice/logger';
import type { Redis } from 'ioredis';
import { type MessageSeal, SealedPublisher, SealedSubscriber } from '../sealed-messages.ts';

/** Publishes to its own subscriptions. */
export class FakeRedis extends EventEmitter {
  status = 'ready';
  readonly subscribed = new Set<string>();
  readonly published: string[] = [];
  /** If set, published messages are held here until delivered. */
  held: (() => void)[] | undefined;

  publish(channel: string, message: Buffer): Promise<number> {
    this.published.push(message.toString());
    return new Promise((resolve) => {
      const deliver = () => resolve(this.#deliver(channel, message));
      if (this.held) this.held.push(deliver);
      else deliver();
    });
  }

  async subscribe(channel: string): Promise<void> {
    if (this.status !== 'ready') await new Promise(() => undefined);
    this.subscribed.add(channel);
  }

  async unsubscribe(channel: string): Promise<void> {
    this.subscribed.delete(channel);
  }

  #deliver(channel: string, message: Buffer): number {
    return this.subscribed.has(channel) && this.emit('messageBuffer', Buffer.from(channel), message) ? 1 : 0;
  }
}

/** Encrypts nothing, and opens only the messages of a channel. */
export const plainSeal: MessageSeal = {
  seal: (channel, text) => Buffer.from(`${channel}|${text}`),
  open(channel, message) {
    const text = message.toString();
    return text.startsWith(`${channel}|`) ? { text: text.slice(channel.length + 1) } : { refused: 'unreadable' };
  },
};

/** A publisher and a subscriber on one fake Redis. */
export function loop() {
  const fake = new FakeRedis();
  const redis = fake as unknown as Redis;
  const logger = createLogger({ name: 'test', level: 'silent' });
  return {
    redis: fake,
    publisher: new SealedPublisher(redis, plainSeal),
    subscriber: new SealedSubscriber({ redis, seal: plainSeal, logger }),
  };
}
