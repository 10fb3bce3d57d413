import type { ExecutionWaits } from '@sluice/db';
import { errorMessage } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { FollowUps } from './follow-ups.ts';
import { type Hasten, repeatedly } from './repeatedly.ts';

export interface WaitClockOptions {
  waits: Pick<ExecutionWaits, 'resumeDue' | 'nextDueMs'>;
  followUps: Pick<FollowUps, 'enqueue'>;
  logger: Logger;
}

/** How often to look for waits that other workers have begun meanwhile, in milliseconds: what such a wait is late at most while there is room. */
const lookMs = 1_000;
/** The least pause between two looks. */
const leastMs = 20;
/** The pause after a look that has made some go on: of many that are due one after the other, what is due meanwhile goes on at once, and costs less. */
const gatherMs = 100;
const batch = 500;

/**
 * Makes executions go on when the time has come that they wait for. Runs in every worker, all at once: each execution is taken by one.
 * It sleeps until the next is due, a second at most, so that a wait need not be announced to it; it is told of those that begin in this
 * worker, since the shortest may be over before it looks again.
 */
export class WaitClock {
  readonly #options: WaitClockOptions;
  readonly #stopping = new AbortController();
  #hasten: Hasten | undefined;

  constructor(options: WaitClockOptions) {
    this.#options = options;
  }

  start(): void {
    this.#hasten = repeatedly(() => this.look(), {
      pauseMs: lookMs,
      firstMs: leastMs,
      signal: this.#stopping.signal,
      onError: (error) => this.#options.logger.warn({ error: errorMessage(error) }, 'waits not looked at'),
    });
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** A wait has been written down that will be over in so many milliseconds. */
  expect(ms: number): void {
    this.#hasten?.(Math.max(leastMs, ms));
  }

  /** Resolves to the milliseconds until the next look. */
  async look(): Promise<number> {
    const { waits, followUps } = this.#options;
    for (;;) {
      const next = await waits.nextDueMs();
      if (next === undefined || next > 0 || this.#stopping.signal.aborted)
        return Math.min(lookMs, Math.max(leastMs, Math.ceil(next ?? lookMs)));
      const due = await waits.resumeDue(batch);
      if (due.length === 0) return leastMs; // others are at it
      await followUps.enqueue(due);
      if (due.length < batch) return gatherMs;
    }
  }
}
