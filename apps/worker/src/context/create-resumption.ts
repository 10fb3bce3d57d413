import { LimitedExecutionRepository } from '@sluice/db';
import { ExecutionLimits } from '../claims/execution-limits.ts';
import { FollowUps } from '../claims/follow-ups.ts';
import { WaitClock } from '../run/wait-clock.ts';
import type { WorkerParts } from './worker-parts.ts';

/**
 * Resumes waiting executions, unblocks others, and handles the effects of an execution's end on
 * others.
 */
export function createResumption(parts: WorkerParts) {
  const followUps = new FollowUps(parts);
  const limited = new LimitedExecutionRepository(parts.db, parts.workerId, parts.nodeTypes);
  return {
    followUps,
    waitClock: new WaitClock({ ...parts, followUps }),
    executionLimits: new ExecutionLimits({ ...parts, limited, followUps }),
  };
}

export type Resumption = ReturnType<typeof createResumption>;
