import type { AttemptRef, DueTick, QueueGauge, ScheduleTicks, TakenTicks, TickVerdict } from '@sluice/db';
import { errorMessage } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { repeatedly } from '../repeatedly.ts';
import { failedTick, judgeTick } from './judge-tick.ts';

export interface ScheduleClockOptions {
  ticks: Pick<ScheduleTicks, 'nextDueMs' | 'take'>;
  queue: Pick<QueueGauge, 'full' | 'note'>;
  /** Hands what has been started to the queue; never rejects. */
  enqueue(started: readonly AttemptRef[]): Promise<void>;
  /** Time zone of schedules that name none. */
  timezone: string;
  logger: Logger;
}

/** How often to look for schedules that have begun meanwhile, in milliseconds. */
const lookMs = 500;
/** The least pause between two looks. */
const leastMs = 5;
/** The pause while others take what is due. */
const othersMs = 20;
/** Few enough for a transaction of some milliseconds. */
const batch = 100;

/**
 * Starts executions at the ticks of schedules. Runs in every worker, all at once and without a leader: each tick is taken by one. It sleeps until the next
 * one is due by the database's clock, half a second at most, so that an activation need not be announced to it.
 */
export class ScheduleClock {
  readonly #options: ScheduleClockOptions;
  readonly #stopping = new AbortController();

  constructor(options: ScheduleClockOptions) {
    this.#options = options;
  }

  start(): void {
    repeatedly(() => this.look(), {
      pauseMs: lookMs,
      firstMs: leastMs,
      signal: this.#stopping.signal,
      onError: (error) => this.#options.logger.warn({ error: errorMessage(error) }, 'schedules not looked at'),
    });
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Resolves to the milliseconds until the next look. */
  async look(): Promise<number> {
    const enqueuing: Promise<void>[] = [];
    for (;;) {
      const next = await this.#options.ticks.nextDueMs();
      if (next === undefined || next > 0 || this.#stopping.signal.aborted) {
        await Promise.all(enqueuing);
        return Math.min(lookMs, Math.max(leastMs, Math.ceil(next ?? lookMs)));
      }
      const { count, started } = await this.#take();
      // The next ticks need not wait for the queue.
      if (started.length > 0) enqueuing.push(this.#options.enqueue(started));
      if (count === 0) return othersMs;
    }
  }

  async #take(): Promise<TakenTicks> {
    const { ticks, queue, timezone } = this.#options;
    const fullProjects = await queue.full();
    const taken = await ticks.take(batch, {
      judge: (due) => this.#noted(due, judgeTick(due, { timezone, fullProjects })),
      fail: (due, error) => this.#noted(due, failedTick(due, error)),
    });
    for (const projectId of taken.projectIds) queue.note(projectId);
    return taken;
  }

  #noted({ workflowId, nodeName, state: before }: DueTick, verdict: TickVerdict): TickVerdict {
    const { logger } = this.#options;
    const { error, state } = verdict;
    if (error !== undefined) logger.warn({ workflowId, nodeName, error }, 'schedule failed');
    else if (state.lastSkip && state.lastSkip !== before.lastSkip) {
      logger.info({ workflowId, nodeName, ...state.lastSkip }, 'tick of a schedule left out');
    }
    return verdict;
  }
}
