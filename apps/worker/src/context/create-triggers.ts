import type { Config } from '@sluice/config';
import type { AttemptRef } from '@sluice/db';
import { RegistrationClock } from '../triggers/registration-clock.ts';
import { ScheduleClock } from '../triggers/schedule-clock.ts';
import { createSources } from '../triggers/sources/create-sources.ts';
import type { Resumption } from './create-resumption.ts';
import type { WorkerParts } from './worker-parts.ts';

/** Starts executions of active workflows, and maintains their registrations at remote services. */
export function createTriggers({ limits, sources }: Config, parts: WorkerParts & Resumption) {
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

export type Triggers = ReturnType<typeof createTriggers>;
