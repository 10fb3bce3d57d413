import type { ExecutionProgressReader, ExecutionRepository } from '@sluice/db';
import { type ExecutionId, isAppError, UnavailableError } from '@sluice/domain';
import type { Caller } from '../auth/caller.ts';
import type { ServerSentEvent } from '../http/server-sent-event.ts';
import { ExecutionEventStream } from './execution-event-stream.ts';
import type { ExecutionFeed } from './execution-feed.ts';
import type { StreamPosition } from './stream-position.ts';
import type { StreamSlots } from './stream-slots.ts';

/** Milliseconds after which the right to read is looked at again, though the caller is the same: the execution may have moved. */
const allowedMs = 15_000;

interface EventServiceOptions {
  executions: ExecutionRepository;
  progress: ExecutionProgressReader;
  feed: ExecutionFeed;
  slots: StreamSlots;
}

export interface OpenOptions {
  /** Where to go on. */
  position: StreamPosition;
  /** Fires when the client has gone. */
  signal: AbortSignal;
  /** The caller as it is now; throws when the key is no longer good. */
  renewCaller: () => Promise<Caller>;
}

/** Lets callers follow executions. */
export class EventService {
  readonly #options: EventServiceOptions;

  constructor(options: EventServiceOptions) {
    this.#options = options;
  }

  /** Throws what reading the execution throws, and `RATE_LIMITED` or `UnavailableError` for one stream too many. */
  async open(
    id: ExecutionId,
    caller: Caller,
    { position, signal, renewCaller }: OpenOptions,
  ): Promise<AsyncIterable<ServerSentEvent>> {
    const { executions, feed, progress, slots } = this.#options;
    if (feed.closing.aborted) throw new UnavailableError('the process is stopping');
    await executions.get(id, caller.access['project:viewer']);
    slots.take(caller.keyId, signal);
    const { userId } = caller;
    const isAllowed = this.#allowance(id, caller, renewCaller);
    return new ExecutionEventStream({ feed, progress, executionId: id, userId, position, signal, isAllowed }).events();
  }

  /** Ends all streams: their clients come back to another process. */
  close(): void {
    this.#options.feed.close();
  }

  /** Asked each second: that costs nothing while the key is known, since then the caller is the same object. */
  #allowance(id: ExecutionId, opener: Caller, renewCaller: () => Promise<Caller>): () => Promise<boolean> {
    let known = opener;
    let checkedAt = performance.now();
    return async () => {
      try {
        const caller = await renewCaller();
        if (caller === known && performance.now() - checkedAt < allowedMs) return true;
        await this.#options.executions.get(id, caller.access['project:viewer']);
        known = caller;
        checkedAt = performance.now();
        return caller.scopes.has('execution:read');
      } catch (error) {
        if (!isAppError(error)) throw error;
        return error.retryable;
      }
    };
  }
}
