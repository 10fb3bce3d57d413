import type { TriggerUrl } from '@sluice/contract';
import type { NewTrigger } from '@sluice/db';

/** The address of a webhook or form; other triggers have no address. `publicUrl`: null if unknown. */
export function toTriggerUrls(
  { nodeName, spec }: Pick<NewTrigger, 'nodeName' | 'spec'>,
  publicUrl: string | null,
): TriggerUrl[] {
  if (spec.kind !== 'webhook' && spec.kind !== 'form') return [];
  const methods = spec.kind === 'form' ? ['GET', ...spec.methods] : [...spec.methods];
  return [{ nodeName, kind: spec.kind, methods, url: `${publicUrl ?? ''}/${spec.kind}/${spec.path}` }];
}
