import type { RegistrationView } from '@sluice/contract';
import type { ShownRegistration } from '@sluice/db';

export function toRegistrationView({ retryAt, ...registration }: ShownRegistration): RegistrationView {
  return { ...registration, retryAt: retryAt?.toISOString() ?? null };
}
