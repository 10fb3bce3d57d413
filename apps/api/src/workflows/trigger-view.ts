import type { TriggerView } from '@sluice/contract';
import type { ActiveTrigger } from '@sluice/db';
import { toTriggerUrls } from './trigger-urls.ts';

/** `publicUrl`: null if unknown. */
export function toTriggerView(trigger: ActiveTrigger, publicUrl: string | null): TriggerView {
  const { nodeName, kind, lastExecutionId, lastSkip, failures, lastError, createdAt } = trigger;
  return {
    nodeName,
    kind,
    status: statusOf(trigger),
    nextRunAt: trigger.nextAt?.toISOString() ?? null,
    lastExecutionId,
    lastSkip: lastSkip && { at: lastSkip.at.toISOString(), reason: lastSkip.reason },
    failures,
    lastError,
    retryAt: trigger.retryAt?.toISOString() ?? null,
    lastSuccessAt: trigger.lastSuccessAt?.toISOString() ?? null,
    heldBy: trigger.heldBy,
    urls: toTriggerUrls(trigger, publicUrl),
    createdAt: createdAt.toISOString(),
  };
}

function statusOf({ kind, failures, lastSuccessAt }: ActiveTrigger): TriggerView['status'] {
  if (failures > 0) return 'failing';
  return kind === 'listen' && lastSuccessAt === null ? 'starting' : 'active';
}
