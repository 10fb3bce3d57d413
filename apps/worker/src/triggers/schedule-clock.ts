import type { AttemptRef, DueTick, QueueGauge, ScheduleTickRepository, TakenTicks, TickDecision } from '@sluice/db';
import { noteLimit, triggerFailed } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { PeriodicService, type Rounds } from '../periodic-service.ts';
import { decideTick, failedTick } from './decide-tick.ts';

interface ScheduleClockOptions {
  scheduleTicks: Pick<ScheduleTickRepository, 'nextDueMs' | 'take'>;
  queueGauge: Pick<QueueGauge, 'full' | 'note'>;
  /** Enqueues started executions; never rejects. */
  enqueue(started: readonly AttemptRef[]): Promise<void>;
  /** Time zone of schedules without their own. */
  timezone: string;
  logger: Logger;
}

/** Interval of checks for schedules that have started in the meantime, in milliseconds. */
const checkEveryMs = 500;
/** Minimum pause between two checks. */
const leastMs = 5;
/** Pause while other workers take due ticks. */
const othersMs = 20;
/** Few enough for a transaction of a few milliseconds. */
const batchSize = 100;

/**
 * Starts executions at the ticks of schedules. Runs in all workers concurrently, without a leader:
 * one worker takes each tick. It sleeps until the next tick is due by the database's clock, for at
 * most half a second, so that activations need no notification.
 */
export class ScheduleClock extends PeriodicService<ScheduleClockOptions> {
  protected get rounds(): Rounds {
    return { pauseMs: checkEveryMs, firstMs: leastMs, failure: 'schedules not checked' };
  }

  async round(): Promise<number> {
    const enqueuing: Promise<void>[] = [];
    try {
      for (;;) {
        const next = await this.options.scheduleTicks.nextDueMs();
        if (next === undefined || next > 0 || this.stopping.aborted)
          return Math.min(checkEveryMs, Math.max(leastMs, Math.ceil(next ?? checkEveryMs)));
        const { count, started } = await this.#take();
        // Not awaited: the next ticks do not wait for the queue.
        if (started.length > 0) enqueuing.push(this.options.enqueue(started));
        if (count === 0) return othersMs;
      }
    } finally {
      await Promise.all(enqueuing);
    }
  }

  async #take(): Promise<TakenTicks> {
    const { scheduleTicks, queueGauge, timezone } = this.options;
    const fullProjects = await queueGauge.full();
    const ticks = await scheduleTicks.take(batchSize, {
      decide: async (due) => this.#withLogLine(due, await decideTick(due, { timezone, fullProjects })),
      fail: (due, error) => this.#withLogLine(due, failedTick(due, error)),
    });
    for (const projectId of ticks.projectIds) queueGauge.note(projectId);
    return ticks;
  }

  #withLogLine({ workflowId, nodeName, state: before }: DueTick, decision: TickDecision): TickDecision {
    const { logger } = this.options;
    const { error, state } = decision;
    if (error !== undefined) {
      triggerFailed.publish({ kind: 'schedule' });
      logger.warn({ workflowId, nodeName, error }, 'schedule failed');
    } else if (state.lastSkip && state.lastSkip !== before.lastSkip) {
      if (state.lastSkip.reason === 'queueFull') noteLimit('QUEUE_FULL');
      logger.info({ workflowId, nodeName, ...state.lastSkip }, 'schedule tick skipped');
    }
    return decision;
  }
}
