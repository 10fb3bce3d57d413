import { errorMessage } from '@sluice/domain';
import { type Logger, logRejection } from '@sluice/logger';
import { type Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { parseRunExecutionJob, type RunExecutionJob, runExecution } from './contracts.ts';

export interface ConsumerOptions {
  /** A consumer connection; closing it is the caller's. */
  redis: Redis;
  prefix: string;
  /** Default: that of all workers. */
  queue?: string;
  /** Jobs of this queue handled at once. */
  concurrency: number;
  logger: Logger;
}

/**
 * Pulls jobs and hands each to `handle`. A job is done when `handle` resolves; when it rejects, the job is dropped and the
 * sweeper, which looks at Postgres, decides whether the execution still needs one.
 */
export class ExecutionConsumer {
  readonly #worker: Worker<RunExecutionJob>;
  readonly #logger: Logger;
  readonly #begun = new WeakMap<Job<RunExecutionJob>, Promise<void>>();

  constructor(handle: (job: RunExecutionJob) => Promise<void>, options: ConsumerOptions) {
    const { redis, prefix, queue = runExecution.queue, concurrency, logger } = options;
    this.#logger = logger;
    const begin = async (job: Job<RunExecutionJob>) => handle(parseRunExecutionJob(job.data));
    this.#worker = new Worker(queue, (job) => this.#begun.get(job) ?? begin(job), {
      connection: redis,
      prefix,
      concurrency,
      autorun: false,
      // A worker that dies between fetching a job and claiming its execution leaves nothing in Postgres that tells of it: only
      // the lapse of the job's lock brings the job back, within these 10 s and the next look 5 s later.
      lockDuration: 10_000,
      stalledInterval: 5_000,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    // BullMQ asks Redis for a further job before it has one handled. This one begins meanwhile.
    this.#worker.on('active', (job) => {
      const begun = begin(job);
      begun.catch(() => undefined); // it is told when the job is handled
      this.#begun.set(job, begun);
    });
    this.#worker.on('error', (error) => logger.warn({ error: errorMessage(error) }, 'queue error'));
    this.#worker.on('failed', (job, error) => logger.warn({ jobId: job?.id, error: errorMessage(error) }, 'job dropped'));
  }

  /** Begins to pull; resolves when the connection is ready. */
  async start(): Promise<void> {
    await this.#worker.waitUntilReady();
    logRejection(this.#logger, this.#worker.run(), 'the queue is no longer read');
  }

  get running(): boolean {
    return this.#worker.isRunning() && !this.#worker.isPaused();
  }

  /** Takes no further job; what is being handled goes on. */
  async pause(): Promise<void> {
    await this.#worker.pause(true);
  }

  /** Waits for what is being handled, then stops. Has no time-out of its own: race it. */
  async close(): Promise<void> {
    await this.#worker.close();
  }
}
