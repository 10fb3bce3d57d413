import type { BinaryStore } from '@sluice/binary-store';
import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import { FileSweeper } from '../binary/file-sweeper.ts';
import { ExecutionPruner } from '../execution-pruner.ts';
import { Housekeeper } from '../housekeeper.ts';
import { StatisticsKeeper } from '../statistics-keeper.ts';
import { Sweeper } from '../sweeper.ts';
import type { Continuing } from './create-continuing.ts';
import type { Membership } from './create-membership.ts';
import type { Messaging } from './create-messaging.ts';
import type { Repositories } from './create-repositories.ts';

interface UpkeepParts {
  repositories: Pick<
    Repositories,
    | 'binaries'
    | 'discardedExecutions'
    | 'executionMoves'
    | 'executionRetention'
    | 'expiredRows'
    | 'statisticsRollUp'
    | 'storageQuota'
    | 'workers'
  >;
  messaging: Pick<Messaging, 'queue' | 'cancel' | 'ended'>;
  membership: Pick<Membership, 'lease' | 'packages'>;
  continuing: Pick<Continuing, 'followUps' | 'executionLimits'>;
  store: BinaryStore;
  logger: Logger;
}

/** Recovery after failures, and cleanup. */
export interface Upkeep {
  sweeper: Sweeper;
  fileSweeper: FileSweeper;
  housekeeper: Housekeeper;
  pruner: ExecutionPruner;
  statistics: StatisticsKeeper;
}

export function createUpkeep(
  { audit }: Config,
  { repositories, messaging, membership, continuing, store, logger }: UpkeepParts,
): Upkeep {
  const {
    binaries,
    discardedExecutions,
    executionMoves,
    executionRetention,
    expiredRows,
    statisticsRollUp,
    storageQuota,
    workers,
  } = repositories;
  const { queue, cancel, ended } = messaging;
  const { lease, packages } = membership;
  const { followUps, executionLimits } = continuing;
  return {
    sweeper: new Sweeper({
      workers,
      executionMoves,
      discardedExecutions,
      storageQuota,
      followUps,
      executionLimits,
      queue,
      cancel,
      ended,
      lease,
      packages,
      logger,
    }),
    fileSweeper: new FileSweeper({ binaries, store, pauseMs: lease.beatMs, logger }),
    housekeeper: new Housekeeper({ expiredRows, auditRetentionDays: audit.retentionDays, logger }),
    pruner: new ExecutionPruner({ executionRetention, logger }),
    statistics: new StatisticsKeeper({ statisticsRollUp, logger }),
  };
}
