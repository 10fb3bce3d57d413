import type { Config } from '@sluice/config';
import { FileSweeper } from '../binary/file-sweeper.ts';
import { EventSender } from '../events/event-sender.ts';
import { ExecutionPruner } from '../maintenance/execution-pruner.ts';
import { Housekeeper } from '../maintenance/housekeeper.ts';
import { StatisticsKeeper } from '../maintenance/statistics-keeper.ts';
import { Sweeper, type SweeperOptions } from '../maintenance/sweeper.ts';
import type { Resumption } from './create-resumption.ts';
import type { WorkerParts } from './worker-parts.ts';

/** Recovery after failures, cleanup, and outgoing events. */
export function createMaintenance(
  { audit, chatSessions, redis }: Config,
  parts: WorkerParts & Resumption & Pick<SweeperOptions, 'recentlyEmptyShards'>,
) {
  const retention = { auditRetentionDays: audit.retentionDays, chatRetentionDays: chatSessions.retentionDays };
  return {
    sweeper: new Sweeper({ ...parts, shardCount: redis.shards.length }),
    fileSweeper: new FileSweeper({ ...parts, pauseMs: parts.lease.beatMs }),
    housekeeper: new Housekeeper({ ...parts, ...retention }),
    pruner: new ExecutionPruner(parts),
    statistics: new StatisticsKeeper(parts),
    eventSender: new EventSender(parts),
  };
}

export type Maintenance = ReturnType<typeof createMaintenance>;
