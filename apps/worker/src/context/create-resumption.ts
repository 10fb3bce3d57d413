import { LimitedExecutionRepository } from '@sluice/db';
import type { Logger } from '@sluice/logger';
import { ExecutionLimits } from '../claims/execution-limits.ts';
import { FollowUps } from '../claims/follow-ups.ts';
import { WaitClock } from '../run/wait-clock.ts';
import type { Connections } from './create-connections.ts';
import type { Membership } from './create-membership.ts';
import type { Messaging } from './create-messaging.ts';
import type { Repositories } from './create-repositories.ts';

interface ResumptionParts {
  connections: Pick<Connections, 'db'>;
  repositories: Pick<Repositories, 'calledExecutions' | 'errorStarts' | 'executionWaits'>;
  messaging: Pick<Messaging, 'queue' | 'cancel' | 'ended'>;
  membership: Pick<Membership, 'lease' | 'nodeTypes'>;
  logger: Logger;
}

/**
 * Resumes waiting executions, unblocks others, and handles the effects of an execution's end on
 * others.
 */
export function createResumption({ connections, repositories, messaging, membership, logger }: ResumptionParts) {
  const { calledExecutions, errorStarts, executionWaits } = repositories;
  const { queue, cancel, ended } = messaging;
  const { lease, nodeTypes } = membership;
  const followUps = new FollowUps({ calledExecutions, errorStarts, queue, cancel, ended, logger });
  const limited = new LimitedExecutionRepository(connections.db, () => lease.workerId, nodeTypes);
  return {
    followUps,
    waitClock: new WaitClock({ executionWaits, followUps, logger }),
    executionLimits: new ExecutionLimits({ limited, queue, followUps, ended, logger }),
  };
}

export type Resumption = ReturnType<typeof createResumption>;
