import { GroupCommit, randomId } from '@sluice/domain';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { type RunExecutionJob, runExecution } from './contracts.ts';
import { translateRedisError } from './redis.ts';

/** An execution and the attempt that a job is for. */
export type ExecutionRef = Pick<RunExecutionJob, 'executionId' | 'attempt'>;

/** BullMQ keeps a log of events; nobody here reads it, so it stays short. */
const maxEvents = 100;

/** Puts executions on the queue. Adds that are in flight together share one round trip. */
export class ExecutionQueue {
  readonly #queue: Queue<RunExecutionJob>;
  readonly #adds: GroupCommit<ExecutionRef, undefined>;

  /** `redis`: a producer connection; closing it is the caller's. */
  constructor(redis: Redis, prefix: string) {
    this.#queue = new Queue(runExecution.queue, {
      connection: redis,
      prefix,
      skipWaitingForReady: true,
      skipVersionCheck: true,
      streams: { events: { maxLen: maxEvents } },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    this.#queue.on('error', () => undefined); // the connection logs its own errors
    this.#adds = new GroupCommit<ExecutionRef, undefined>((refs) => this.#add(refs), { lanes: 2 });
  }

  /** Safe to repeat. Throws `UnavailableError` while Redis is away; the sweeper then delivers later. */
  enqueue(ref: ExecutionRef): Promise<void> {
    return this.#adds.add(ref);
  }

  /** As `enqueue`, also while a job of the same attempt is there. Throws `UnavailableError` while Redis is away. */
  async enqueueAgain({ executionId, attempt }: ExecutionRef): Promise<void> {
    const jobId = `${runExecution.jobId({ executionId, attempt })}-${randomId()}`;
    try {
      await this.#queue.add(runExecution.name, { v: 1, executionId, attempt }, { jobId });
    } catch (error) {
      throw translateRedisError(error);
    }
  }

  async enqueueAll(refs: readonly ExecutionRef[]): Promise<void> {
    await Promise.all(refs.map((ref) => this.enqueue(ref)));
  }

  /** Jobs that wait or are being handled. Throws `UnavailableError` while Redis is away. */
  async countJobs(): Promise<number> {
    try {
      const counts = await this.#queue.getJobCounts('wait', 'active', 'prioritized', 'delayed');
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    } catch (error) {
      throw translateRedisError(error);
    }
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }

  async #add(refs: ExecutionRef[]): Promise<undefined[]> {
    const jobs = refs.map(({ executionId, attempt }) => ({
      name: runExecution.name,
      data: { v: 1 as const, executionId, attempt },
      opts: { jobId: runExecution.jobId({ executionId, attempt }) },
    }));
    try {
      await this.#queue.addBulk(jobs);
    } catch (error) {
      throw translateRedisError(error);
    }
    return refs.map(() => undefined);
  }
}
