import type { SealedPublisher } from './sealed-publisher.ts';
import type { SealedSubscriber } from './sealed-subscriber.ts';

const channelOf = (prefix: string, session: string) => `${prefix}:session:${session}`;

/**
 * Sends messages to the process that holds a client's event stream, over one channel per session. Without a listener
 * they are lost.
 */
export class SessionChannel {
  readonly #publisher: SealedPublisher;
  readonly #subscriber: SealedSubscriber;
  readonly #prefix: string;

  constructor(publisher: SealedPublisher, subscriber: SealedSubscriber, prefix: string) {
    this.#publisher = publisher;
    this.#subscriber = subscriber;
    this.#prefix = prefix;
  }

  /** Throws `UnavailableError` while Redis is unreachable. */
  publish(session: string, text: string): Promise<void> {
    return this.#publisher.publish(channelOf(this.#prefix, session), text);
  }

  /** Calls `onText` for each message. Resolves when Redis has confirmed the subscription, to the function that ends it. */
  async listen(session: string, onText: (text: string) => void): Promise<() => Promise<void>> {
    const channel = channelOf(this.#prefix, session);
    await this.#subscriber.listen(channel, onText);
    return () => this.#subscriber.stop(channel, onText);
  }
}
