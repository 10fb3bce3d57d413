import type { TriggerView } from '@sluice/contract';
import type { ActiveTrigger } from '@sluice/db';

export function toTriggerView(trigger: ActiveTrigger): TriggerView {
  const { nodeName, kind, lastExecutionId, lastSkip, failures, lastError, createdAt } = trigger;
  return {
    nodeName,
    kind,
    nextRunAt: trigger.nextAt?.toISOString() ?? null,
    lastExecutionId,
    lastSkip: lastSkip && { at: lastSkip.at.toISOString(), reason: lastSkip.reason },
    failures,
    lastError,
    retryAt: trigger.retryAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
