import { createLogger } from '@sluice/logger';
import { closeRedis, createRedis, runExecution } from '@sluice/queue';
import { Queue } from 'bullmq';

/** Accesses the queue directly. */
export class JobQueue {
  readonly #redis: ReturnType<typeof createRedis>;
  readonly #queue: Queue;

  constructor(redisUrl: string) {
    this.#redis = createRedis(redisUrl, 'consumer', createLogger({ name: 'test', level: 'silent' }));
    this.#queue = new Queue(runExecution.queue, { connection: this.#redis, prefix: 'sluice' });
  }

  /** Adds another job for an execution, with its own job ID. */
  async addAgain(executionId: string, jobId: string): Promise<void> {
    const data = { v: 1, executionId, attempt: 1 };
    await this.#queue.add(runExecution.name, data, { jobId, removeOnComplete: true, removeOnFail: true });
  }

  /** Number of unfinished jobs. */
  async size(): Promise<number> {
    const counts = await this.#queue.getJobCounts('wait', 'active', 'delayed', 'prioritized');
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  async flushRedis(): Promise<void> {
    await this.#redis.flushall();
  }

  async stop(): Promise<void> {
    await this.#queue.close();
    await closeRedis(this.#redis);
  }
}
