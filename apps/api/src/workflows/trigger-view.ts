import type { RegistrationView, TriggerUrl, TriggerView } from '@sluice/contract';
import type { ActiveTrigger, NewTrigger, ShownRegistration } from '@sluice/db';

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

/** The address of a webhook or form, if the trigger is one. `publicUrl`: null if unknown. */
export function toTriggerUrls(
  { nodeName, spec }: Pick<NewTrigger, 'nodeName' | 'spec'>,
  publicUrl: string | null,
): TriggerUrl[] {
  if (spec.kind !== 'webhook' && spec.kind !== 'form') return [];
  const methods = spec.kind === 'form' ? ['GET', ...spec.methods] : [...spec.methods];
  return [{ nodeName, kind: spec.kind, methods, url: `${publicUrl ?? ''}/${spec.kind}/${encodeURI(spec.path)}` }];
}

export function toRegistrationView({ retryAt, ...registration }: ShownRegistration): RegistrationView {
  return { ...registration, retryAt: retryAt?.toISOString() ?? null };
}
