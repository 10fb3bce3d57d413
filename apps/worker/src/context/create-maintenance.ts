import type { BinaryStore } from '@sluice/binary-store';
import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import type { HttpClient } from '@sluice/node-sdk';
import type { Vault } from '@sluice/vault';
import { FileSweeper } from '../binary/file-sweeper.ts';
import { EventSender } from '../events/event-sender.ts';
import { ExecutionPruner } from '../maintenance/execution-pruner.ts';
import { Housekeeper } from '../maintenance/housekeeper.ts';
import { StatisticsKeeper } from '../maintenance/statistics-keeper.ts';
import { Sweeper } from '../maintenance/sweeper.ts';
import type { Membership } from './create-membership.ts';
import type { Messaging } from './create-messaging.ts';
import type { Repositories } from './create-repositories.ts';
import type { Resumption } from './create-resumption.ts';

interface MaintenanceParts {
  repositories: Pick<
    Repositories,
    | 'binaries'
    | 'discardedExecutions'
    | 'executionMoves'
    | 'executionRetention'
    | 'expiredRows'
    | 'statisticsRollUps'
    | 'eventOutbox'
    | 'storageQuotas'
    | 'workers'
  >;
  messaging: Pick<Messaging, 'queue' | 'cancel' | 'ended'>;
  membership: Pick<Membership, 'lease' | 'packages'>;
  resumption: Pick<Resumption, 'followUps' | 'executionLimits'>;
  store: BinaryStore;
  vault: Vault;
  http: HttpClient;
  logger: Logger;
}

/** Recovery after failures, cleanup, and outgoing events. */
export function createMaintenance(
  { audit, chatSessions }: Config,
  { repositories, messaging, membership, resumption, store, vault, http, logger }: MaintenanceParts,
) {
  const {
    binaries,
    discardedExecutions,
    executionMoves,
    executionRetention,
    expiredRows,
    statisticsRollUps,
    eventOutbox,
    storageQuotas,
    workers,
  } = repositories;
  const { queue, cancel, ended } = messaging;
  const { lease, packages } = membership;
  const { followUps, executionLimits } = resumption;
  return {
    sweeper: new Sweeper({
      workers,
      executionMoves,
      discardedExecutions,
      storageQuotas,
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
    housekeeper: new Housekeeper({
      expiredRows,
      auditRetentionDays: audit.retentionDays,
      chatRetentionDays: chatSessions.retentionDays,
      logger,
    }),
    pruner: new ExecutionPruner({ executionRetention, logger }),
    statistics: new StatisticsKeeper({ statisticsRollUps, logger }),
    eventSender: new EventSender({ eventOutbox, vault, http, logger }),
  };
}

export type Maintenance = ReturnType<typeof createMaintenance>;
