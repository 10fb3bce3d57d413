import { GroupCommit } from '@sluice/domain';
import type { SealedPublisher, SealedSubscriber } from './sealed-messages.ts';

/** A node of an execution has started. */
export interface NodeStarted {
  executionId: string;
  nodeName: string;
  runIndex: number;
  /**
   * Number of node runs of the execution that ended before this one started; this run gets its own
   * number when it ends.
   */
  seq: number;
  /** Milliseconds since the epoch. */
  startTime: number;
}

/**
 * A worker's report to the followers of an execution. `changed`: there is new data to read in
 * Postgres.
 */
export type ProgressMessage = { changed: string } | { started: NodeStarted };

/**
 * Reports the progress of executions to the processes that follow them. Workers publish only for
 * executions that a client follows (the `watch` signal). A lost `changed` delays the follower by a
 * second; a lost `started` is not repeated.
 */
export class ProgressChannel {
  readonly #name: string;
  readonly #messages: GroupCommit<string>;

  constructor(publisher: SealedPublisher, prefix: string) {
    this.#name = progressChannel(prefix);
    this.#messages = new GroupCommit((messages) => publisher.publish(this.#name, `[${[...new Set(messages)].join(',')}]`));
  }

  /**
   * Sends one Redis message for everything that is published together. Throws `UnavailableError`
   * while Redis is unreachable.
   */
  async publish(message: ProgressMessage): Promise<void> {
    await this.#messages.add(JSON.stringify(message));
  }
}

/** Calls `onMessage` for each progress message from now on. */
export function subscribeProgress(
  subscriber: SealedSubscriber,
  prefix: string,
  onMessage: (message: ProgressMessage) => void,
): void {
  void subscriber.listen(progressChannel(prefix), (text) => {
    for (const message of parse(text)) onMessage(message);
  });
}

function progressChannel(prefix: string): string {
  return `${prefix}:progress`;
}

/** Skips messages that this version cannot read: a newer one may have sent them. */
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
