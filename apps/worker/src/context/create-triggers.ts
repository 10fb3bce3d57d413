import type { Config } from '@sluice/config';
import type { MemoryBudget } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { UncaughtErrors } from '@sluice/node-packages';
import type { WorkerOverrides } from '../context.ts';
import { createSources, type Sources, type SourcesOptions } from '../triggers/create-sources.ts';
import { RegistrationClock } from '../triggers/registration-clock.ts';
import { ScheduleClock } from '../triggers/schedule-clock.ts';
import type { Connections } from './create-connections.ts';
import type { Membership } from './create-membership.ts';
import type { Messaging } from './create-messaging.ts';
import type { NodeKit } from './create-node-kit.ts';
import type { Repositories } from './create-repositories.ts';
import type { Resumption } from './create-resumption.ts';

interface TriggerParts {
  connections: Pick<Connections, 'db' | 'leaseDb'>;
  repositories: Pick<Repositories, 'queueGauge' | 'registrations' | 'scheduleTicks'>;
  messaging: Pick<Messaging, 'subscribeEnds'>;
  membership: Pick<Membership, 'lease' | 'nodeTypes'>;
  kit: NodeKit;
  resumption: Pick<Resumption, 'followUps'>;
  uncaughtErrors: UncaughtErrors;
  memoryBudget: MemoryBudget;
  watchdog: WorkerOverrides['watchdog'];
  metrics: SourcesOptions['metrics'];
  logger: Logger;
}

/** Starts executions of active workflows, and maintains their registrations at remote services. */
export function createTriggers(config: Config, parts: TriggerParts) {
  return {
    /** Triggers that poll or listen. */
    sources: createWorkerSources(config, parts),
    scheduleClock: createScheduleClock(parts),
    registrationClock: createRegistrationClock(parts),
  };
}

export type Triggers = ReturnType<typeof createTriggers>;

function createWorkerSources(
  { limits, sources }: Config,
  {
    connections,
    repositories,
    messaging,
    membership,
    kit,
    resumption,
    uncaughtErrors,
    memoryBudget,
    watchdog,
    metrics,
    logger,
  }: TriggerParts,
): Sources {
  const { db, leaseDb } = connections;
  const { lease, nodeTypes } = membership;
  return createSources({
    ...kit,
    db,
    leaseDb,
    queueGauge: repositories.queueGauge,
    uncaughtErrors,
    memoryBudget,
    enqueue: (started) => resumption.followUps.enqueue(started),
    subscribeEnds: messaging.subscribeEnds,
    metrics,
    max: { polls: sources.pollsMax, listeners: sources.listenersMax },
    nodeTypes,
    pollTimeoutMs: sources.pollTimeoutMs,
    maxBytes: limits.nodeRunMaxBytes,
    workerId: () => lease.workerId,
    holdsRenewedAt: watchdog && (() => watchdog.holdsRenewedAt),
    logger,
  });
}

function createScheduleClock({ repositories, kit: { timezone }, resumption, logger }: TriggerParts): ScheduleClock {
  const { scheduleTicks, queueGauge } = repositories;
  return new ScheduleClock({
    scheduleTicks,
    queueGauge,
    enqueue: (started) => resumption.followUps.enqueue(started),
    timezone,
    logger,
  });
}

function createRegistrationClock({ repositories, membership, kit, logger }: TriggerParts): RegistrationClock {
  const { engine, credentials, variables, env } = kit;
  return new RegistrationClock({
    nodeTypes: membership.nodeTypes,
    registrations: repositories.registrations,
    engine,
    credentials,
    vars: () => variables.get(),
    env,
    logger,
  });
}
