import {
  type AttemptRef,
  CredentialUseRepository,
  type Database,
  type QueueGauge,
  type SourceName,
  SourceStartRepository,
  StaticDataRepository,
  TriggerSourceRepository,
  WebhookStartRepository,
} from '@sluice/db';
import type { MemoryBudget, WorkerId } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { UncaughtErrors } from '@sluice/node-packages';
import type { EventOutcome, PollEnd } from '../../metrics/worker-metrics.ts';
import { CredentialWatch } from './credential-watch.ts';
import { EndWaiter, type EndWaiterOptions } from './end-waiter.ts';
import { Listener } from './listener.ts';
import { PollRunner } from './poll-runner.ts';
import { SourceClock } from './source-clock.ts';
import { SourceLeaseKeeper } from './source-lease-keeper.ts';
import { SourceOpener, type SourceOpenerOptions } from './source-opener.ts';

export interface SourcesOptions extends Omit<SourceOpenerOptions, 'staticData' | 'webhookStarts'> {
  db: Database;
  /** Separate connections, so that a busy pool does not cause the loss of leases. */
  leaseDb: Database;
  queueGauge: QueueGauge;
  uncaughtErrors: UncaughtErrors;
  /** Memory that polls and listeners share with executions. */
  memoryBudget: Pick<MemoryBudget, 'open'>;
  enqueue(started: readonly AttemptRef[]): Promise<void>;
  /** Subscribes to ids of executions that may have ended. */
  subscribeEnds: EndWaiterOptions['subscribe'];
  metrics: () => { polled(end: PollEnd): void; eventCame(outcome: EventOutcome): void } | undefined;
  max: { polls: number; listeners: number };
  /** This worker's types of installed packages, as `foreignTypeNames` returns them. */
  nodeTypes: readonly string[];
  pollTimeoutMs: number;
  /** Maximum JSON size of one execution's items. */
  maxBytes: number;
  workerId(): WorkerId;
  /** See `SourceLeaseKeeper`. */
  leasesRenewedAt?: (() => number) | undefined;
  logger: Logger;
}

/** The polls and listeners of a worker. */
export interface Sources {
  clock: SourceClock;
  leases: SourceLeaseKeeper;
}

export function createSources(options: SourcesOptions): Sources {
  const { db, queueGauge, enqueue, metrics, maxBytes, timezone, uncaughtErrors, memoryBudget, logger } = options;
  const triggerSources = new TriggerSourceRepository(db);
  const { leasesRenewedAt: renewedAt } = options;
  const leases = new SourceLeaseKeeper({
    triggerSources: new TriggerSourceRepository(options.leaseDb),
    ...(renewedAt && { renewedAt }),
    logger,
  });
  const credentialWatch = new CredentialWatch({ credentialUses: new CredentialUseRepository(db.kysely), logger });
  const sourceStarts = new SourceStartRepository(db, queueGauge);
  const ends = new EndWaiter({ sourceStarts, subscribe: options.subscribeEnds, logger });
  const opener = new SourceOpener({
    ...options,
    webhookStarts: new WebhookStartRepository(db),
    staticData: new StaticDataRepository(db.kysely),
  });
  const lacks = (lease: SourceName) => clock.skip(lease);
  const common = { opener, leases, triggerSources, sourceStarts, uncaughtErrors, memoryBudget, lacks, enqueue, maxBytes };
  const polls = new PollRunner({ ...common, timeoutMs: options.pollTimeoutMs, timezone });
  const clock = new SourceClock({
    triggerSources,
    leases,
    credentialWatch,
    async poll(lease) {
      const end = await polls.run(lease);
      metrics()?.polled(end);
    },
    listen: (lease) =>
      new Listener({ ...common, ends, credentialWatch, onEvent: (outcome) => metrics()?.eventCame(outcome) }, lease).run(),
    closed: () => ends.stop(),
    max: options.max,
    nodeTypes: options.nodeTypes,
    workerId: options.workerId,
    logger,
  });
  return { clock, leases };
}
