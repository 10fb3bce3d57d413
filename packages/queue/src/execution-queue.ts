import { GroupCommit, randomId } from '@sluice/domain';
import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { type RunExecutionJob, runExecution } from './contracts.ts';
import { translateRedisError } from './redis.ts';

/** An execution and the attempt that a job is for. */
export type ExecutionRef = Pick<RunExecutionJob, 'executionId' | 'attempt'>;

/** BullMQ keeps a log of events; nobody here reads it, so it stays short. */
const maxEvents = 100;

/**
 * Puts executions on the queue. Adds that are in flight together share one round trip.
 *
 * Everything starts on the queue of all workers. What one of them has to leave, for want of a package of node types, it moves to the queue of that package,
 * which only workers that have it read, as long as there are some (`noteReader`).
 */
export class ExecutionQueue {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #queue: Queue<RunExecutionJob>;
  readonly #ofPackages = new Map<string, Queue<RunExecutionJob>>();
  readonly #adds: GroupCommit<ExecutionRef, undefined>;

  /** `redis`: a producer connection; closing it is the caller's. */
  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#queue = openQueue(runExecution.queue, redis, prefix);
    this.#adds = new GroupCommit<ExecutionRef, undefined>((refs) => this.#add(refs), { lanes: 2, atOnce: true });
  }

  /** Safe to repeat. Throws `UnavailableError` while Redis is away; the sweeper then delivers later. */
  enqueue(ref: ExecutionRef): Promise<void> {
    return this.#adds.add(ref);
  }

  /** As `enqueue`, also while a job of the same attempt is there. Throws `UnavailableError` while Redis is away. */
  enqueueAgain(ref: ExecutionRef): Promise<void> {
    return addJob(this.#queue, ref, { jobId: `${runExecution.jobId(ref)}-${randomId()}` });
  }

  /**
   * Hands an execution to the workers that have a package; safe to repeat. False: nobody reads the queue of that package, and nothing was done. Throws
   * `UnavailableError` while Redis is away.
   */
  async enqueueFor(packageName: string, ref: ExecutionRef): Promise<boolean> {
    if (!(await this.#hasReader(packageName))) return false;
    await addJob(this.#queueOf(packageName), ref, { jobId: runExecution.jobId(ref) });
    return true;
  }

  /** Says for `ttlMs` milliseconds that the queues of these packages are read. Throws `UnavailableError` while Redis is away. */
  async noteReader(packageNames: readonly string[], ttlMs: number): Promise<void> {
    if (packageNames.length === 0) return;
    const words = packageNames.map((name) => this.#redis.set(this.#readerKey(name), '1', 'PX', ttlMs));
    await translated(Promise.all([this.#redis.sadd(this.#packagesKey, ...packageNames), ...words]));
  }

  /**
   * Forgets the queues of packages that nobody reads any more, with what lies in them: the sweeper brings these executions back to the queue of all. Throws
   * `UnavailableError` while Redis is away.
   */
  async dropUnread(): Promise<void> {
    for (const name of await this.#listPackages()) {
      if (await this.#hasReader(name)) continue;
      await translated(this.#queueOf(name).obliterate({ force: true }));
      await translated(this.#redis.srem(this.#packagesKey, name));
    }
  }

  async enqueueAll(refs: readonly ExecutionRef[]): Promise<void> {
    await Promise.all(refs.map((ref) => this.enqueue(ref)));
  }

  /** Jobs that wait or are being handled. Throws `UnavailableError` while Redis is away. */
  async countJobs(): Promise<number> {
    const ofPackages = (await this.#listPackages()).map((name) => this.#queueOf(name));
    const counts = await Promise.all([this.#queue, ...ofPackages].map(countIn));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async close(): Promise<void> {
    await Promise.all([this.#queue, ...this.#ofPackages.values()].map((queue) => queue.close()));
  }

  get #packagesKey(): string {
    return `${this.#prefix}:packages`;
  }

  #readerKey(packageName: string): string {
    return `${this.#prefix}:reader-of:${packageName}`;
  }

  /** Those that have had a reader. */
  #listPackages(): Promise<string[]> {
    return translated(this.#redis.smembers(this.#packagesKey));
  }

  async #hasReader(packageName: string): Promise<boolean> {
    return (await translated(this.#redis.exists(this.#readerKey(packageName)))) > 0;
  }

  #queueOf(packageName: string): Queue<RunExecutionJob> {
    const open = this.#ofPackages.get(packageName) ?? openQueue(runExecution.queueOf(packageName), this.#redis, this.#prefix);
    this.#ofPackages.set(packageName, open);
    return open;
  }

  /** A lone job goes without the transaction that holds several together. */
  async #add(refs: ExecutionRef[]): Promise<undefined[]> {
    const jobs = refs.map(({ executionId, attempt }) => ({
      name: runExecution.name,
      data: { v: 1 as const, executionId, attempt },
      opts: { jobId: runExecution.jobId({ executionId, attempt }) },
    }));
    const [first, ...others] = jobs;
    if (!first) return [];
    const { name, data, opts } = first;
    await translated<unknown>(others.length > 0 ? this.#queue.addBulk(jobs) : this.#queue.add(name, data, opts));
    return refs.map(() => undefined);
  }
}

function openQueue(name: string, redis: Redis, prefix: string): Queue<RunExecutionJob> {
  const queue = new Queue<RunExecutionJob>(name, {
    connection: redis,
    prefix,
    skipWaitingForReady: true,
    skipVersionCheck: true,
    streams: { events: { maxLen: maxEvents } },
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  queue.on('error', () => undefined); // the connection logs its own errors
  return queue;
}

async function addJob(
  queue: Queue<RunExecutionJob>,
  { executionId, attempt }: ExecutionRef,
  options: JobsOptions,
): Promise<void> {
  await translated(queue.add(runExecution.name, { v: 1, executionId, attempt }, options));
}

async function countIn(queue: Queue<RunExecutionJob>): Promise<number> {
  const counts = await translated(queue.getJobCounts('wait', 'active', 'prioritized', 'delayed'));
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translateRedisError(error);
  }
}
