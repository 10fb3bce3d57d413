import type { Config } from '@sluice/config';
import { type AttemptRef, LimitedExecutionRepository } from '@sluice/db';
import { FileSweeper } from '../binary/file-sweeper.ts';
import { ExecutionLimits } from '../claims/execution-limits.ts';
import { FollowUps } from '../claims/follow-ups.ts';
import { EventSender } from '../events/event-sender.ts';
import { ExecutionPruner } from '../maintenance/execution-pruner.ts';
import { Housekeeper } from '../maintenance/housekeeper.ts';
import { StatisticsKeeper } from '../maintenance/statistics-keeper.ts';
import { Sweeper } from '../maintenance/sweeper.ts';
import { WaitClock } from '../run/wait-clock.ts';
import type { Service } from '../services.ts';
import { RegistrationClock } from '../triggers/registration-clock.ts';
import { ScheduleClock } from '../triggers/schedule-clock.ts';
import { createSources } from '../triggers/sources/create-sources.ts';
import { createIntakes } from './create-intakes.ts';
import type { WorkerParts } from './create-parts.ts';

/** The services, by name and in their starting order. */
export function createServices(config: Config, parts: WorkerParts) {
  const resumption = createResumption(parts);
  const running = { ...parts, ...resumption };
  const { intakes, concurrency, recentlyEmptyShards } = createIntakes(config, running);
  const maintenance = createMaintenance(config, { ...running, recentlyEmptyShards });
  const triggers = createTriggers(config, running);
  const services: Service[] = [
    concurrency,
    ...intakes,
    ...Object.values(maintenance),
    resumption.waitClock,
    resumption.executionLimits,
    triggers.scheduleClock,
    triggers.registrationClock,
    triggers.sources.clock,
  ];
  return { intakes, concurrency, ...maintenance, ...triggers, services };
}

/**
 * Resumes waiting executions, unblocks others, and handles the effects of an execution's end on
 * others.
 */
function createResumption(parts: WorkerParts) {
  const followUps = new FollowUps(parts);
  const limited = new LimitedExecutionRepository(parts.db, parts.workerId, parts.nodeTypes);
  return {
    followUps,
    waitClock: new WaitClock({ ...parts, followUps }),
    executionLimits: new ExecutionLimits({ ...parts, limited, followUps }),
  };
}

/** The parts of services that continue executions. */
export type RunningParts = WorkerParts & ReturnType<typeof createResumption>;

/** Recovery after failures, cleanup, and outgoing events. */
function createMaintenance(
  { audit, chatSessions, redis }: Config,
  parts: RunningParts & { recentlyEmptyShards(ms: number): number[] },
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

/** Starts executions of active workflows, and maintains their registrations at remote services. */
function createTriggers({ limits, sources }: Config, parts: RunningParts) {
  const { followUps, metrics, variables, watchdog } = parts;
  const shared = { ...parts, enqueue: (started: readonly AttemptRef[]) => followUps.enqueue(started) };
  return {
    /** Triggers that poll or listen. */
    sources: createSources({
      ...shared,
      metrics: () => metrics?.current,
      max: { polls: sources.pollsMax, listeners: sources.listenersMax },
      pollTimeoutMs: sources.pollTimeoutMs,
      maxBytes: limits.nodeRunMaxBytes,
      leasesRenewedAt: watchdog && (() => watchdog.leasesRenewedAt),
    }),
    scheduleClock: new ScheduleClock(shared),
    registrationClock: new RegistrationClock({ ...parts, vars: () => variables.get() }),
  };
}
