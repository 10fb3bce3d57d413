import { errorMessage, GroupCommit } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { Redis } from 'ioredis';
import { translateRedisError } from './redis.ts';

/** A node of an execution has begun. */
export interface NodeStarted {
  executionId: string;
  nodeName: string;
  runIndex: number;
  /** How many node runs of the execution ended before: its own number, once it has ended. */
  seq: number;
  /** Milliseconds since the epoch. */
  startTime: number;
}

/** What a worker tells those who follow an execution. `changed`: there is something new to read in Postgres. */
export type ProgressMessage = { changed: string } | { started: NodeStarted };

/**
 * Tells the processes that follow executions how these go. Workers publish only for executions that somebody watches (the
 * `watch` signal). A lost `changed` costs the follower a second, a lost `started` is lost.
 */
export class ProgressChannel {
  readonly #name: string;
  readonly #messages: GroupCommit<string, undefined>;

  /** `publisher`: a producer connection. */
  constructor(publisher: Redis, prefix: string) {
    this.#name = `${prefix}:progress`;
    this.#messages = new GroupCommit<string, undefined>(async (messages) => {
      await publisher.publish(this.#name, `[${[...new Set(messages)].join(',')}]`).catch((error: unknown) => {
        throw translateRedisError(error);
      });
      return messages.map(() => undefined);
    });
  }

  /** One Redis message for all that are published together. Throws `UnavailableError` while Redis is away. */
  async publish(message: ProgressMessage): Promise<void> {
    await this.#messages.add(JSON.stringify(message));
  }

  /** Calls `onMessage` for each message from now on. `subscriber`: a subscriber connection; it may carry several channels. */
  subscribe(subscriber: Redis, onMessage: (message: ProgressMessage) => void, logger: Logger): void {
    subscriber.on('message', (channel: string, text: string) => {
      if (channel === this.#name) for (const message of parse(text)) onMessage(message);
    });
    subscriber.subscribe(this.#name).catch((error: unknown) => {
      logger.warn({ channel: this.#name, error: errorMessage(error) }, 'cannot subscribe');
    });
  }
}

/** What this build cannot read is nothing: a newer one may have sent it. */
function parse(text: string): ProgressMessage[] {
  try {
    const messages: unknown = JSON.parse(text);
    return Array.isArray(messages) ? messages.filter(isProgressMessage) : [];
  } catch {
    return [];
  }
}

function isProgressMessage(message: unknown): message is ProgressMessage {
  if (typeof message !== 'object' || message === null) return false;
  if ('changed' in message) return typeof message.changed === 'string';
  const { executionId, nodeName, runIndex, seq, startTime } = (
    'started' in message ? (message.started ?? {}) : {}
  ) as Partial<NodeStarted>;
  const named = typeof executionId === 'string' && typeof nodeName === 'string';
  return named && typeof runIndex === 'number' && typeof seq === 'number' && typeof startTime === 'number';
}
