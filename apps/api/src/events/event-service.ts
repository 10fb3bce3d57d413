import type { ExecutionProgressReader, ExecutionRepository } from '@sluice/db';
import { type ExecutionId, isAppError, UnavailableError } from '@sluice/domain';
import type { Caller } from '../auth/caller.ts';
import type { ServerSentEvent } from '../http/server-sent-event.ts';
import { ExecutionEventStream } from './execution-event-stream.ts';
import type { ExecutionFeed } from './execution-feed.ts';
import { parsePosition } from './stream-position.ts';
import type { StreamSlots } from './stream-slots.ts';

/** Milliseconds after which the right to read is looked at again. */
const allowedMs = 15_000;

export interface EventServiceOptions {
  executions: ExecutionRepository;
  progress: ExecutionProgressReader;
  feed: ExecutionFeed;
  slots: StreamSlots;
}

export interface OpenOptions {
  lastEventId: string | undefined;
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
    { lastEventId, signal, renewCaller }: OpenOptions,
  ): Promise<AsyncIterable<ServerSentEvent>> {
    const { executions, feed, progress, slots } = this.#options;
    if (feed.closing.aborted) throw new UnavailableError('the process is stopping');
    const position = parsePosition(lastEventId);
    await executions.get(id, caller.access['project:viewer']);
    slots.take(caller.keyId, signal);
    const isAllowed = this.#allowance(id, renewCaller);
    return new ExecutionEventStream({ feed, progress, executionId: id, position, signal, isAllowed }).events();
  }

  /** Ends all streams: their clients come back to another process. */
  close(): void {
    this.#options.feed.close();
  }

  #allowance(id: ExecutionId, renewCaller: () => Promise<Caller>): () => Promise<boolean> {
    let checkedAt = performance.now();
    return async () => {
      if (performance.now() - checkedAt < allowedMs) return true;
      checkedAt = performance.now();
      try {
        const caller = await renewCaller();
        await this.#options.executions.get(id, caller.access['project:viewer']);
        return caller.scopes.has('execution:read');
      } catch (error) {
        if (!isAppError(error)) throw error;
        return error.retryable;
      }
    };
  }
}
