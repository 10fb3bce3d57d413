import { GroupCommit, randomId } from '@sluice/domain';
import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { type RunExecutionJob, runExecution } from './contracts.ts';
import { translateRedisError } from './redis.ts';

/** An execution, and the attempt that its job is for. */
export type ExecutionRef = Pick<RunExecutionJob, 'executionId' | 'attempt'>;

/** BullMQ keeps a log of events; no code reads it, so it stays short. */
const maxEvents = 100;

/** Fields of BullMQ's data of a queue that keep jobs from being delivered. */
const limits = ['paused', 'concurrency', 'max', 'duration'];

/**
 * Enqueues executions. Additions in flight at the same time share one round trip.
 *
 * Every execution starts on the queue of all workers. If a worker lacks a package of node types, it
 * moves the job to the queue of that package, which only workers with the package read, if there
 * are any (`noteReader`).
 */
export class ExecutionQueue {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #queue: Queue<RunExecutionJob>;
  readonly #ofPackages = new Map<string, Queue<RunExecutionJob>>();
  readonly #adds: GroupCommit<ExecutionRef, undefined>;

  /** `redis`: a producer connection; the caller closes it. */
  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#queue = openQueue(runExecution.queue, redis, prefix);
    this.#adds = new GroupCommit<ExecutionRef, undefined>((refs) => this.#add(refs), { lanes: 2, atOnce: true });
  }

  /**
   * Safe to repeat. Throws `UnavailableError` while Redis is unreachable; the sweeper then delivers
   * later.
   */
  enqueue(ref: ExecutionRef): Promise<void> {
    return this.#adds.add(ref);
  }

  /**
   * Like `enqueue`, also while a job of the same attempt exists. Throws `UnavailableError` while
   * Redis is unreachable.
   */
  enqueueAgain(ref: ExecutionRef): Promise<void> {
    return addJob(this.#queue, ref, { jobId: `${runExecution.jobId(ref)}-${randomId()}` });
  }

  /**
   * Moves an execution to the queue of a package; safe to repeat. False: no worker reads that
   * queue, and nothing was done. Throws `UnavailableError` while Redis is unreachable.
   */
  async enqueueFor(packageName: string, ref: ExecutionRef): Promise<boolean> {
    if (!(await this.#hasReader(packageName))) return false;
    await addJob(this.#queueOf(packageName), ref, { jobId: runExecution.jobId(ref) });
    return true;
  }

  /**
   * Records for `ttlMs` milliseconds that the queues of these packages are read. Throws
   * `UnavailableError` while Redis is unreachable.
   */
  async noteReader(packageNames: readonly string[], ttlMs: number): Promise<void> {
    if (packageNames.length === 0) return;
    const words = packageNames.map((name) => this.#redis.set(this.#readerKey(name), '1', 'PX', ttlMs));
    await translated(Promise.all([this.#redis.sadd(this.#packagesKey, ...packageNames), ...words]));
  }

  /**
   * Deletes the queues of packages that no worker reads, with their jobs: the sweeper enqueues
   * these executions on the main queue again. Throws `UnavailableError` while Redis is unreachable.
   */
  async dropUnread(): Promise<void> {
    for (const name of await this.#listPackages()) {
      if (await this.#hasReader(name)) continue;
      await translated(this.#queueOf(name).obliterate({ force: true }));
      await translated(this.#redis.srem(this.#packagesKey, name));
    }
  }

  /**
   * Undoes what only another client can have set on the queues: a pause, or a limit of jobs. Resolves
   * to the names of such queues. Throws `UnavailableError` while Redis is unreachable.
   */
  async undoLimits(): Promise<string[]> {
    const limited: string[] = [];
    for (const queue of [this.#queue, ...(await this.#listPackages()).map((name) => this.#queueOf(name))]) {
      const meta = queue.toKey('meta');
      if ((await translated(this.#redis.hmget(meta, ...limits))).every((limit) => limit === null)) continue;
      limited.push(queue.name);
      await translated(queue.resume()); // also returns the jobs that were added meanwhile
      await translated(this.#redis.hdel(meta, ...limits));
    }
    return limited;
  }

  async enqueueAll(refs: readonly ExecutionRef[]): Promise<void> {
    await Promise.all(refs.map((ref) => this.enqueue(ref)));
  }

  /** Number of jobs that have not been delivered. Throws `UnavailableError` while Redis is unreachable. */
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

  /** Packages whose queues have had a reader. */
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

  /** A single job is added without the transaction that groups several. */
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
  const counts = await translated(queue.getJobCounts('wait', 'prioritized', 'delayed'));
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translateRedisError(error);
  }
}
