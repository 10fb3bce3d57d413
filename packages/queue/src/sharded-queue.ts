import type { ExecutionRef } from './contracts.ts';
import { ExecutionQueue } from './execution-queue.ts';
import type { RedisClient } from './redis.ts';

/**
 * A queue whose jobs are distributed across several key prefixes by execution id: in a cluster,
 * across several nodes. Workers read all of them. The first shard is the queue itself.
 */
export class ShardedQueue extends ExecutionQueue {
  readonly #others: readonly ExecutionQueue[];

  constructor(redis: RedisClient, [first = '', ...others]: readonly string[]) {
    super(redis, first);
    this.#others = others.map((prefix) => new ExecutionQueue(redis, prefix));
  }

  override enqueue(ref: ExecutionRef): Promise<void> {
    return this.#otherOf(ref)?.enqueue(ref) ?? super.enqueue(ref);
  }

  override enqueueAgain(ref: ExecutionRef): Promise<void> {
    return this.#otherOf(ref)?.enqueueAgain(ref) ?? super.enqueueAgain(ref);
  }

  override enqueueFor(packageName: string, ref: ExecutionRef): Promise<boolean> {
    return this.#otherOf(ref)?.enqueueFor(packageName, ref) ?? super.enqueueFor(packageName, ref);
  }

  override async returnToHead(queue: string, refs: readonly ExecutionRef[]): Promise<void> {
    const groups = Map.groupBy(refs, (ref) => this.#otherOf(ref));
    await Promise.all([...groups].map(([other, some]) => other?.returnToHead(queue, some) ?? super.returnToHead(queue, some)));
  }

  override async noteReader(packageNames: readonly string[], ttlMs: number): Promise<void> {
    await Promise.all([
      super.noteReader(packageNames, ttlMs),
      ...this.#others.map((other) => other.noteReader(packageNames, ttlMs)),
    ]);
  }

  override async dropUnread(): Promise<void> {
    await Promise.all([super.dropUnread(), ...this.#others.map((other) => other.dropUnread())]);
  }

  override async undoLimits(): Promise<string[]> {
    return (await Promise.all([super.undoLimits(), ...this.#others.map((other) => other.undoLimits())])).flat();
  }

  override async listEmptyShards(): Promise<number[]> {
    const lists = await Promise.all([super.listEmptyShards(), ...this.#others.map((other) => other.listEmptyShards())]);
    return lists.flatMap((list, shard) => (list.length > 0 ? [shard] : []));
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), ...this.#others.map((other) => other.close())]);
  }

  /** `undefined`: the first shard. Ids are numbers. */
  #otherOf({ executionId }: ExecutionRef): ExecutionQueue | undefined {
    const shard = BigInt(executionId) % BigInt(this.#others.length + 1);
    return shard === 0n ? undefined : this.#others[Number(shard) - 1];
  }
}
