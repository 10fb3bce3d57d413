import { errorMessage, GroupCommit } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { Redis } from 'ioredis';
import { translateRedisError } from './redis.ts';

export type SignalName = 'cancel' | 'ended' | 'answered' | 'watch' | 'access';

/**
 * Ids that processes tell each other over Redis: of executions, `cancel` (stop working on these), `ended` (these have reached a
 * status that a waiting caller wants to know of), `answered` (these have answered the call that started them) and `watch` (somebody
 * follows these; repeated every few seconds); of users, `access` (forget what they may do). A message may be lost; everything that it speeds up also happens without it: workers look
 * again at each lease renewal, waiting callers when their time is up, followers every second, and the API asks the database
 * every 400 milliseconds for changed rights.
 */
export class SignalChannel {
  readonly #name: string;
  readonly #messages: GroupCommit<readonly string[], undefined>;

  /** `publisher`: a producer connection. */
  constructor(publisher: Redis, prefix: string, signal: SignalName) {
    this.#name = `${prefix}:${signal}`;
    this.#messages = new GroupCommit<readonly string[], undefined>(async (groups) => {
      await publisher.publish(this.#name, groups.flat().join(' ')).catch((error: unknown) => {
        throw translateRedisError(error);
      });
      return groups.map(() => undefined);
    });
  }

  /** One message for all ids that are published together. Throws `UnavailableError` while Redis is away. */
  async publish(executionIds: readonly string[]): Promise<void> {
    if (executionIds.length > 0) await this.#messages.add(executionIds);
  }

  /** Calls `onIds` for each message from now on. `subscriber`: a subscriber connection; it may carry several channels. */
  subscribe(subscriber: Redis, onIds: (executionIds: string[]) => void, logger: Logger): void {
    subscriber.on('message', (channel: string, message: string) => {
      if (channel === this.#name) onIds(message.split(' '));
    });
    subscriber.subscribe(this.#name).catch((error: unknown) => {
      logger.warn({ channel: this.#name, error: errorMessage(error) }, 'cannot subscribe');
    });
  }
}
