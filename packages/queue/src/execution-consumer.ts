import { errorMessage, pause } from '@sluice/domain';
import { failureLog, type Logger, logRejection } from '@sluice/logger';
import { type Job, Worker } from 'bullmq';
import { type ExecutionRef, parseJob, type RunExecutionsJob, runExecution } from './contracts.ts';
import { jobWaitSeconds, type RedisClient } from './redis.ts';

export interface ConsumerOptions {
  /** A consumer connection; the caller closes it. */
  redis: RedisClient;
  prefix: string;
  /** Default: the queue of all workers. */
  queue?: string;
  /** Maximum number of jobs of this queue that are handled at once. */
  deliveries: number;
  /** Called when the queue has delivered its last job. */
  drained?: () => void;
  logger: Logger;
}

/** Milliseconds that a consumer that closes allows for its last acknowledgment. */
const acknowledgeMs = 1_000;

/**
 * Takes jobs and passes the executions of each to `handle`. A job is done when `handle` resolves;
 * when it rejects, the job is dropped, and the sweeper, which reads Postgres, decides whether its
 * executions still need a job.
 */
export class ExecutionConsumer {
  readonly #worker: Worker<RunExecutionsJob>;
  readonly #logger: Logger;
  readonly #started = new WeakMap<Job<RunExecutionsJob>, Promise<void>>();
  readonly #inProgress = new Set<Promise<void>>();

  constructor(handle: (refs: ExecutionRef[]) => Promise<void>, options: ConsumerOptions) {
    const { redis, prefix, queue = runExecution.queue, deliveries, drained, logger } = options;
    this.#logger = logger;
    const begin = (job: Job<RunExecutionsJob>) => this.#note(async () => handle(parseJob(job.data)));
    this.#worker = new Worker(queue, (job) => this.#started.get(job) ?? begin(job), {
      connection: redis,
      prefix,
      concurrency: deliveries,
      autorun: false,
      drainDelay: jobWaitSeconds,
      // A worker that dies between fetching a job and claiming its execution leaves no trace in
      // Postgres: the job is redelivered only after its lock has expired, within these 10 s, and a
      // check up to 5 s later.
      lockDuration: 10_000,
      stalledInterval: 5_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    // BullMQ requests the next job from Redis before it handles the current one, so the current job
    // starts here.
    this.#worker.on('active', (job) => {
      const started = begin(job);
      started.catch(() => undefined); // reported when BullMQ handles the job
      this.#started.set(job, started);
    });
    if (drained) this.#worker.on('drained', drained);
    const logError = failureLog(logger, 'queue error');
    this.#worker.on('error', (error) => {
      // Each attempt to connect fails too; `createRedis` has logged the first one.
      if (redis.status === 'ready') logError(error);
    });
    this.#worker.on('failed', (job, error) => logger.warn({ jobId: job?.id, error: errorMessage(error) }, 'job dropped'));
  }

  /** Starts taking jobs; resolves when the connection is ready. */
  async start(): Promise<void> {
    await this.#worker.waitUntilReady();
    logRejection(this.#logger, this.#worker.run(), 'reading the queue has stopped');
  }

  get running(): boolean {
    return this.#worker.isRunning() && !this.#worker.isPaused();
  }

  /**
   * Waits for jobs in progress, then stops. It has no timeout; callers must add one. Without Redis,
   * BullMQ would wait for a connection, which the jobs do not need: they are delivered again.
   */
  async close(): Promise<void> {
    const closed = new AbortController();
    await Promise.race([this.#worker.close().finally(() => closed.abort()), this.#idle(closed.signal)]);
  }

  /** Resolves when no job has been in progress for a second. */
  async #idle(signal: AbortSignal): Promise<void> {
    do {
      await Promise.allSettled(this.#inProgress);
      await pause(acknowledgeMs, signal);
    } while (this.#inProgress.size > 0);
  }

  #note(work: () => Promise<void>): Promise<void> {
    const started = work().finally(() => this.#inProgress.delete(started));
    this.#inProgress.add(started);
    return started;
  }
}
