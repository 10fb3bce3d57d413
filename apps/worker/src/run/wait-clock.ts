import type { ExecutionWaitRepository } from '@sluice/db';
import type { Logger } from '@sluice/logger';
import type { FollowUps } from '../claims/follow-ups.ts';
import { PeriodicService, type Rounds } from '../periodic-service.ts';

interface WaitClockOptions {
  executionWaits: Pick<ExecutionWaitRepository, 'resumeDue' | 'nextDueMs'>;
  followUps: Pick<FollowUps, 'enqueue'>;
  logger: Logger;
}

/**
 * Interval of checks for waits that other workers have started, in milliseconds: the maximum delay
 * of such a wait without a backlog.
 */
const checkEveryMs = 1_000;
/** Minimum pause between two checks. */
const leastMs = 20;
/**
 * Pause after a check that has resumed executions: executions that become due in the meantime are
 * resumed together, at a lower cost.
 */
const gatherMs = 100;
const batch = 500;

/**
 * Resumes executions whose waiting time is over. Runs in all workers concurrently: one worker takes
 * each execution. It sleeps until the next wait is over, for at most a second, so that waits need
 * no announcement. The worker's own waits are passed to it, because the shortest may end before the
 * next check.
 */
export class WaitClock extends PeriodicService<WaitClockOptions> {
  protected get rounds(): Rounds {
    return { pauseMs: checkEveryMs, firstMs: leastMs, failure: 'waits not checked' };
  }

  /** Call this when a wait of this many milliseconds has been stored. */
  expect(ms: number): void {
    this.hasten?.(Math.max(leastMs, ms));
  }

  async round(): Promise<number> {
    const { executionWaits, followUps } = this.options;
    for (;;) {
      const next = await executionWaits.nextDueMs();
      if (next === undefined || next > 0 || this.stopping.aborted)
        return Math.min(checkEveryMs, Math.max(leastMs, Math.ceil(next ?? checkEveryMs)));
      const due = await executionWaits.resumeDue(batch);
      if (due.length === 0) return leastMs; // other workers are handling them
      await followUps.enqueue(due);
      if (due.length < batch) return gatherMs;
    }
  }
}
