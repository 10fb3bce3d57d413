import type { AttemptRef } from '@sluice/db';
import { type ConsumerOptions, ExecutionConsumer } from '@sluice/queue';
import type { HoldOptions } from './execution-claims.ts';
import { ExecutionSlots } from './execution-slots.ts';
import type { Service } from './services.ts';

export interface ExecutionIntakeOptions extends ConsumerOptions {
  /** Number of executions of the queue that may run at once now. */
  limit: () => number;
  /** Ends waits for an unreachable database when the worker closes. */
  closing: AbortSignal;
}

/** Takes the executions of one queue and runs them. */
export class ExecutionIntake implements Service {
  readonly #consumer: ExecutionConsumer;
  readonly #slots: ExecutionSlots;

  constructor(
    run: (ref: AttemptRef, options: HoldOptions) => Promise<void>,
    { limit, closing, ...options }: ExecutionIntakeOptions,
  ) {
    const { deliveries, logger } = options;
    this.#slots = new ExecutionSlots({ deliveries, limit, logger });
    this.#consumer = new ExecutionConsumer((job) => this.#slots.take((onClaimed) => run(job, { closing, onClaimed })), options);
  }

  start(): Promise<void> {
    return this.#consumer.start();
  }

  /** Whether the queue is read. */
  get isReading(): boolean {
    return this.#consumer.running;
  }

  /** Number of executions that run now. */
  get running(): number {
    return this.#slots.running;
  }

  /** Applies a change of the limit. */
  refresh(): void {
    this.#slots.refresh();
  }

  async stop(): Promise<void> {
    const closed = this.#consumer.close();
    await this.#slots.close();
    await closed;
  }
}
