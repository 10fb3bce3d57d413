import type { Logger } from '@sluice/logger';
import { FollowUps } from '../follow-ups.ts';
import { WaitClock } from '../wait-clock.ts';
import type { Messaging } from './create-messaging.ts';
import type { Repositories } from './create-repositories.ts';

interface ContinuingParts {
  repositories: Pick<Repositories, 'calledExecutions' | 'errorStarts' | 'executionWaits'>;
  messaging: Pick<Messaging, 'queue' | 'cancel' | 'ended'>;
  logger: Logger;
}

/** Resumes waiting executions and handles the effects of an execution's end on others. */
export interface Continuing {
  followUps: FollowUps;
  waitClock: WaitClock;
}

export function createContinuing({ repositories, messaging, logger }: ContinuingParts): Continuing {
  const { calledExecutions, errorStarts, executionWaits } = repositories;
  const { queue, cancel, ended } = messaging;
  const followUps = new FollowUps({ calledExecutions, errorStarts, queue, cancel, ended, logger });
  return { followUps, waitClock: new WaitClock({ executionWaits, followUps, logger }) };
}
