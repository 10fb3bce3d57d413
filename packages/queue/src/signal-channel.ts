import { errorMessage, GroupCommit } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { Redis } from 'ioredis';
import { translateRedisError } from './redis.ts';

export type SignalName = 'cancel' | 'ended' | 'answered' | 'watch' | 'access';

interface Signal {
  ids: readonly string[];
  /** A line of the message. */
  told?: string;
}

/**
 * Ids that processes tell each other over Redis: of executions, `cancel` (stop working on these), `ended` (these have reached a
 * status that a waiting caller wants to know of), `answered` (these have answered the call that started them) and `watch` (somebody
 * follows these; repeated every few seconds); of users, `access` (forget what they may do). A message may be lost; everything that it speeds up also happens without it: workers look
 * again at each lease renewal, waiting callers when their time is up, followers every second, and the API asks the database
 * every 400 milliseconds for changed rights.
 *
 * A message is a line of ids, and a line `<id> <JSON>` for each of them of which more is told: what the receiver would read else.
 */
export class SignalChannel {
  readonly #name: string;
  readonly #messages: GroupCommit<Signal, undefined>;

  /** `publisher`: a producer connection. */
  constructor(publisher: Redis, prefix: string, signal: SignalName) {
    this.#name = `${prefix}:${signal}`;
    const send = async (signals: Signal[]) => {
      await publisher.publish(this.#name, toMessage(signals)).catch((error: unknown) => {
        throw translateRedisError(error);
      });
      return signals.map(() => undefined);
    };
    this.#messages = new GroupCommit<Signal, undefined>(send, { atOnce: true });
  }

  /** One message at once, or for all that gather while it is on its way. Throws `UnavailableError` while Redis is away. */
  async publish(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#messages.add({ ids });
  }

  /** As `publish`, with what is to be known of the execution, as JSON: in one line, and small, since all processes get it. */
  async tell(id: string, json: string): Promise<void> {
    await this.#messages.add({ ids: [id], told: `${id} ${json}` });
  }

  /** Calls `onIds` for each message from now on. `subscriber`: a subscriber connection; it may carry several channels. */
  subscribe(subscriber: Redis, onIds: (ids: string[], told: ReadonlyMap<string, string>) => void, logger: Logger): void {
    subscriber.on('message', (channel: string, message: string) => {
      if (channel !== this.#name) return;
      const [ids = '', ...lines] = message.split('\n');
      onIds(ids.split(' '), new Map(lines.map(toEntry)));
    });
    subscriber.subscribe(this.#name).catch((error: unknown) => {
      logger.warn({ channel: this.#name, error: errorMessage(error) }, 'cannot subscribe');
    });
  }
}

function toMessage(signals: readonly Signal[]): string {
  const ids = signals.flatMap((signal) => signal.ids).join(' ');
  return [ids, ...signals.flatMap(({ told }) => told ?? [])].join('\n');
}

function toEntry(line: string): [string, string] {
  const end = line.indexOf(' ');
  return [line.slice(0, end), line.slice(end + 1)];
}
