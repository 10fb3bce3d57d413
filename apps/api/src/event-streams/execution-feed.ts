import type { ExecutionProgress, ExecutionProgressRepository } from '@sluice/db';
import { type ExecutionId, GroupCommit } from '@sluice/domain';
import { type Logger, logRejection } from '@sluice/logger';
import type { NodeStarted, ProgressMessage } from '@sluice/queue';

/** Milliseconds between polls of Postgres: the delay that a lost message causes. */
const pollMs = 1_000;
/** Polls between two `watch` signals. Workers honor a signal for fifteen seconds. */
const pollsPerWatch = 5;

/** A subscriber to one execution. */
export interface Follower {
  readonly userId: string;
  /** There may be something new in Postgres. */
  wake(): void;
  started(node: NodeStarted): void;
}

interface ExecutionFeedOptions {
  executionProgress: Pick<ExecutionProgressRepository, 'read'>;
  /** Sends the `watch` signal, which asks workers to publish progress. */
  watch: { publish(ids: readonly ExecutionId[]): Promise<void> };
  logger: Logger;
}

/**
 * Wakes the subscribers of executions: at once for a message from Redis, or else every second. They
 * read the state from Postgres; concurrent reads share one statement. One per process.
 */
export class ExecutionFeed {
  readonly #options: ExecutionFeedOptions;
  readonly #reads: GroupCommit<ExecutionId, ExecutionProgress | undefined>;
  readonly #followers = new Map<ExecutionId, Set<Follower>>();
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #polls = 0;

  constructor(options: ExecutionFeedOptions) {
    this.#options = options;
    this.#reads = new GroupCommit((ids) => options.executionProgress.read(ids));
  }

  /** Aborts when the feed closes. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** `undefined` if the execution does not exist, or no longer exists. */
  read(id: ExecutionId): Promise<ExecutionProgress | undefined> {
    return this.#reads.add(id);
  }

  /** Subscribes. Returns the function that unsubscribes. */
  follow(id: ExecutionId, follower: Follower): () => void {
    const others = this.#followers.get(id) ?? new Set();
    this.#followers.set(id, others.add(follower));
    this.#timer ??= setInterval(() => this.#poll(), pollMs);
    this.#watch([id]);
    return () => this.#unfollow(id, follower);
  }

  /** Handles the `ended` signal. */
  notify(ids: readonly ExecutionId[]): void {
    for (const id of ids) this.#wake(id);
  }

  /** Handles a message of the progress channel. */
  receive(message: ProgressMessage): void {
    if ('changed' in message) this.#wake(message.changed);
    else for (const follower of this.#followers.get(message.started.executionId) ?? []) follower.started(message.started);
  }

  /** Rechecks the streams of users whose rights have changed, at once. */
  accessChanged(userIds: readonly string[]): void {
    if (this.#followers.size === 0 || userIds.length === 0) return;
    const changed = new Set(userIds);
    for (const followers of this.#followers.values()) {
      for (const follower of followers) if (changed.has(follower.userId)) follower.wake();
    }
  }

  close(): void {
    this.#closing.abort();
  }

  #wake(id: ExecutionId): void {
    for (const follower of this.#followers.get(id) ?? []) follower.wake();
  }

  #unfollow(id: ExecutionId, follower: Follower): void {
    const followers = this.#followers.get(id);
    followers?.delete(follower);
    if (followers?.size === 0) this.#followers.delete(id);
    if (this.#followers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    const ids = [...this.#followers.keys()];
    this.notify(ids);
    if (this.#polls++ % pollsPerWatch === 0) this.#watch(ids);
  }

  #watch(ids: readonly ExecutionId[]): void {
    const { watch, logger } = this.#options;
    logRejection(logger, watch.publish(ids), 'workers not asked for progress');
  }
}
