import type { StatisticsRollUpRepository } from '@sluice/db';
import type { Logger } from '@sluice/logger';
import { PeriodicService, type Rounds } from '../periodic-service.ts';

interface StatisticsKeeperOptions {
  statisticsRollUps: Pick<StatisticsRollUpRepository, 'rollUp' | 'deleteOld'>;
  logger: Logger;
}

const pauseMs = 10_000;
/** A pass within these milliseconds, of any worker, is enough. */
const freshMs = 8_000;

/** Counts ended executions for dashboards, every ten seconds, in one worker at a time. */
export class StatisticsKeeper extends PeriodicService<StatisticsKeeperOptions> {
  protected get rounds(): Rounds {
    return { pauseMs, failure: 'statistics not updated' };
  }

  async round(): Promise<void> {
    const { statisticsRollUps } = this.options;
    let sinceMs = freshMs;
    const rollUp = () => {
      const more = statisticsRollUps.rollUp(sinceMs);
      sinceMs = 0;
      return more;
    };
    await this.inBatches(rollUp);
    await this.inBatches(() => statisticsRollUps.deleteOld());
  }
}
