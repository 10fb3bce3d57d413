import { GroupCommit, randomId, tracing } from '@sluice/domain';
import { type JobsOptions, Queue } from 'bullmq';
import { type ExecutionRef, maxRefsPerJob, type RunExecutionsJob, runExecution } from './contracts.ts';
import { type RedisClient, translateRedisError } from './redis.ts';

/** BullMQ keeps an event log; no code reads it, so it is kept short. */
const maxEvents = 100;

/** Fields in BullMQ's queue metadata that prevent jobs from being delivered. */
const limits = ['paused', 'concurrency', 'max', 'duration'];

/**
 * Enqueues executions. Additions in flight at the same time share one round trip, and jobs of up to
 * 32 executions.
 *
 * Every execution starts on the queue of all workers. If a worker lacks a package of node types, it
 * moves the job to the queue of that package, which only workers with the package read, if such
 * workers exist (`noteReader`).
 */
export class ExecutionQueue {
  readonly #redis: RedisClient;
  readonly #prefix: string;
  readonly #queue: Queue<RunExecutionsJob>;
  readonly #ofPackages = new Map<string, Queue<RunExecutionsJob>>();
  readonly #adds: GroupCommit<ExecutionRef>;

  /** `redis`: a producer connection; the caller closes it. */
  constructor(redis: RedisClient, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#queue = openQueue(runExecution.queue, redis, prefix);
    this.#adds = new GroupCommit((refs) => this.#add(refs), { name: 'jobs', atOnce: true });
  }

  /**
   * Safe to repeat. Throws `UnavailableError` while Redis is unreachable; the sweeper then enqueues
   * them later.
   */
  enqueue(ref: ExecutionRef): Promise<void> {
    return this.#adds.add(withTrace(ref));
  }

  /**
   * Like `enqueue`, even while a job for the same attempt exists. Throws `UnavailableError` while
   * Redis is unreachable.
   */
  enqueueAgain(ref: ExecutionRef): Promise<void> {
    return addJob(this.#queue, [withTrace(ref)], { jobId: `${runExecution.jobId(ref)}-${randomId()}` });
  }

  /**
   * Returns executions to the head of the queue with this name, as one job. Throws
   * `UnavailableError` while Redis is unreachable.
   */
  returnToHead(queue: string, refs: readonly ExecutionRef[]): Promise<void> {
    return addJob(this.#queueCalled(queue), refs, { lifo: true });
  }

  /**
   * Moves an execution to the queue of a package; safe to repeat. False: no worker reads that
   * queue, and nothing was done. Throws `UnavailableError` while Redis is unreachable.
   */
  async enqueueFor(packageName: string, ref: ExecutionRef): Promise<boolean> {
    if (!(await this.#hasReader(packageName))) return false;
    await addJob(this.#queueOf(packageName), [ref], { jobId: runExecution.jobId(ref) });
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
   * Removes settings that only another client can have made: a pause, or a job limit. Resolves to
   * the names of the affected queues. Throws `UnavailableError` while Redis is unreachable.
   */
  async undoLimits(): Promise<string[]> {
    const limited: string[] = [];
    for (const queue of [this.#queue, ...(await this.#listPackages()).map((name) => this.#queueOf(name))]) {
      const meta = queue.toKey('meta');
      if ((await translated(this.#redis.hmget(meta, ...limits))).every((limit) => limit === null)) continue;
      limited.push(queue.name);
      await translated(queue.resume()); // also returns the jobs that were added in the meantime
      await translated(this.#redis.hdel(meta, ...limits));
    }
    return limited;
  }

  async enqueueAll(refs: readonly ExecutionRef[]): Promise<void> {
    await Promise.all(refs.map((ref) => this.enqueue(ref)));
  }

  /**
   * Numbers of the shards of the queue of all workers whose jobs have all been delivered. Throws
   * `UnavailableError` while Redis is unreachable.
   */
  async listEmptyShards(): Promise<number[]> {
    const counts = await translated(this.#queue.getJobCounts('wait', 'prioritized', 'delayed'));
    return Object.values(counts).every((count) => count === 0) ? [0] : [];
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

  #queueOf(packageName: string): Queue<RunExecutionsJob> {
    return this.#queueCalled(runExecution.queueOf(packageName));
  }

  #queueCalled(name: string): Queue<RunExecutionsJob> {
    if (name === this.#queue.name) return this.#queue;
    const open = this.#ofPackages.get(name) ?? openQueue(name, this.#redis, this.#prefix);
    this.#ofPackages.set(name, open);
    return open;
  }

  /** A single job is added without the transaction that groups several jobs. */
  async #add(refs: ExecutionRef[]): Promise<void> {
    if (refs.length <= maxRefsPerJob) await addJob(this.#queue, refs, jobIdOf(refs));
    else await translated(this.#queue.addBulk(inJobs(refs)));
  }
}

/** Adds the trace of the calling code, unless the reference has one. */
function withTrace(ref: ExecutionRef): ExecutionRef {
  const traceparent = ref.traceparent ?? tracing.tracer?.current();
  return traceparent === undefined ? ref : { ...ref, traceparent };
}

function inJobs(refs: readonly ExecutionRef[]) {
  const jobs = Array.from({ length: Math.ceil(refs.length / maxRefsPerJob) }, (_, i) =>
    refs.slice(i * maxRefsPerJob, (i + 1) * maxRefsPerJob),
  );
  return jobs.map((part) => ({ name: runExecution.name, data: runExecution.jobOf(part), opts: jobIdOf(part) }));
}

/** BullMQ numbers jobs with several executions. */
function jobIdOf([first, ...others]: readonly ExecutionRef[]): JobsOptions {
  return first && others.length === 0 ? { jobId: runExecution.jobId(first) } : {};
}

function openQueue(name: string, redis: RedisClient, prefix: string): Queue<RunExecutionsJob> {
  const queue = new Queue<RunExecutionsJob>(name, {
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

async function addJob(queue: Queue<RunExecutionsJob>, refs: readonly ExecutionRef[], options: JobsOptions): Promise<void> {
  await translated(queue.add(runExecution.name, runExecution.jobOf(refs), options));
}

async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translateRedisError(error);
  }
}
