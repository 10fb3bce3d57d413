import { type Hasten, type RepeatOptions, repeatedly } from '@sluice/domain';
import { failureLog, type Logger } from '@sluice/logger';
import type { Service } from './services.ts';

/** `failure`: log message for a failed round. */
export interface Rounds extends Pick<RepeatOptions, 'pauseMs' | 'firstMs'> {
  failure: string;
}

/** Batches of one kind of work per round, so that the database and other work wait only briefly. */
const maxBatches = 40;

/** Repeats a round until it stops. A failed round is logged and repeated like any other. */
export abstract class PeriodicService<Options extends { logger: Logger }> implements Service {
  protected readonly options: Options;
  /** Moves the next round forward; `undefined` before the start. */
  protected hasten: Hasten | undefined;
  readonly #stopping = new AbortController();
  #inProgress: Promise<unknown> = Promise.resolve();

  constructor(options: Options) {
    this.options = options;
  }

  protected abstract get rounds(): Rounds;

  /** Can resolve to the milliseconds until the next round. */
  abstract round(): Promise<number> | Promise<void>;

  protected get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Repeats a step until it resolves to `false`: no more work. */
  protected async inBatches(step: () => Promise<boolean>): Promise<void> {
    for (let batch = 0; batch < maxBatches && !this.stopping.aborted; batch += 1) if (!(await step())) return;
  }

  start(): void {
    const { failure, ...times } = this.rounds;
    const onError = failureLog(this.options.logger, failure);
    this.hasten = repeatedly(() => this.#begin(), { ...times, signal: this.stopping, onError });
  }

  /**
   * Resolves when the round in progress has ended: it may be about to enqueue executions that it
   * has taken.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#inProgress;
  }

  #begin(): ReturnType<PeriodicService<Options>['round']> {
    const round = this.round();
    this.#inProgress = Promise.allSettled([round]);
    return round;
  }
}
