import type { ExecutionProgressRepository, ExecutionRepository } from '@sluice/db';
import { type ExecutionId, isAppError, UnavailableError } from '@sluice/domain';
import type { Caller } from '../auth/caller.ts';
import type { ServerSentEvent } from '../http/response/server-sent-events.ts';
import { changeStream } from './change-stream.ts';
import type { ExecutionChanges } from './execution-changes.ts';
import { ExecutionEventStream } from './execution-event-stream.ts';
import type { ExecutionFeed } from './execution-feed.ts';
import type { StreamPosition } from './stream-position.ts';
import type { StreamSlots } from './stream-slots.ts';

/**
 * Milliseconds after which access is checked again for an unchanged caller: the execution may have
 * been transferred.
 */
const allowedMs = 15_000;

interface EventServiceOptions {
  executions: ExecutionRepository;
  executionProgress: ExecutionProgressRepository;
  feed: ExecutionFeed;
  changes: ExecutionChanges;
  slots: StreamSlots;
}

export interface OpenOptions {
  /** Position to continue from. */
  position: StreamPosition;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** The caller with its current rights. Throws if the key is no longer valid. */
  renewCaller: () => Promise<Caller>;
}

/** Lets callers follow executions. */
export class EventService {
  readonly #options: EventServiceOptions;

  constructor(options: EventServiceOptions) {
    this.#options = options;
  }

  /**
   * Throws as reading the execution does, and `RATE_LIMITED` or `UnavailableError` for one stream
   * too many.
   */
  async open(
    id: ExecutionId,
    caller: Caller,
    { position, signal, renewCaller }: OpenOptions,
  ): Promise<AsyncIterable<ServerSentEvent>> {
    const { executions, feed, executionProgress, slots } = this.#options;
    if (feed.closing.aborted) throw new UnavailableError('the process is stopping');
    await executions.get(id, caller.access['project:viewer']);
    const { keyId, userId } = caller;
    slots.take({ key: keyId, tenant: userId }, signal);
    const isAllowed = this.#allowance(id, caller, renewCaller);
    return new ExecutionEventStream({ feed, executionProgress, executionId: id, userId, position, signal, isAllowed }).events();
  }

  /** Changes of all executions of the caller's projects. Throws what `open` throws. */
  async openChanges(
    { keyId, userId }: Caller,
    { signal, renewCaller }: Pick<OpenOptions, 'signal' | 'renewCaller'>,
  ): Promise<AsyncIterable<ServerSentEvent>> {
    const { changes, feed, slots } = this.#options;
    if (feed.closing.aborted) throw new UnavailableError('the process is stopping');
    // The key may be known from a cache, although the database cannot be reached.
    await changes.check();
    slots.take({ key: keyId, tenant: userId }, signal);
    let last: Caller | undefined;
    const renew = async () => {
      try {
        last = await renewCaller();
      } catch (error) {
        if (!isAppError(error) || !error.retryable) return undefined;
      }
      return last?.scopes.has('execution:list') ? last : undefined;
    };
    return changeStream({ changes, signal: AbortSignal.any([signal, feed.closing]), renew });
  }

  /** Ends all streams; their clients reconnect to another process. */
  close(): void {
    this.#options.feed.close();
  }

  /** Called each second. Cheap while the key is cached: the caller is then the same object. */
  #allowance(id: ExecutionId, opener: Caller, renewCaller: () => Promise<Caller>): () => Promise<boolean> {
    let checkedCaller = opener;
    let checkedAt = performance.now();
    return async () => {
      try {
        const caller = await renewCaller();
        if (caller === checkedCaller && performance.now() - checkedAt < allowedMs) return true;
        await this.#options.executions.get(id, caller.access['project:viewer']);
        checkedCaller = caller;
        checkedAt = performance.now();
        return caller.scopes.has('execution:read');
      } catch (error) {
        if (!isAppError(error)) throw error;
        return error.retryable;
      }
    };
  }
}
