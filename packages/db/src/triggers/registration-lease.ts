import { ConflictError, untilAborted } from '@sluice/domain';
import type { RegistrationRepository } from './registration-repository.ts';

/**
 * Duration of a lease on registrations, in milliseconds. Its process extends it after each third of
 * this time; when it lapses, another process may take over.
 */
export const registrationLeaseMs = 20_000;

/** Registrations, and the process that has leased them. */
interface LeasedRegistrations {
  ids: readonly string[];
  heldBy: string;
  /** Default: `registrationLeaseMs`. */
  leaseMs?: number;
  /** Maximum duration of the lease in milliseconds; default: until the work ends. */
  limitMs?: number;
}

/**
 * Runs the work and returns its result. The lease is extended during the work, and once more at its
 * end. Rejects with a conflict as soon as another process has the registrations, the database has
 * not responded within a lease, or the limit is reached; the work then stops at its next
 * `signal.throwIfAborted()`.
 */
export async function withRegistrationLease<T>(
  registrations: Pick<RegistrationRepository, 'extend'>,
  { ids, heldBy, leaseMs = registrationLeaseMs, limitMs = Number.POSITIVE_INFINITY }: LeasedRegistrations,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const beganAt = performance.now();
  let extendedAt = beganAt;
  let isExtending = false;
  const extend = async (): Promise<void> => {
    const askedAt = performance.now();
    if (await registrations.extend(ids, heldBy, leaseMs)) extendedAt = askedAt;
    else lost.abort(tooLate());
  };
  const beat = async (): Promise<void> => {
    const now = performance.now();
    if (now - extendedAt > leaseMs || now - beganAt > limitMs) lost.abort(tooLate());
    if (isExtending || lost.signal.aborted) return;
    isExtending = true;
    await extend().catch(() => undefined); // the next interval tries again
    isExtending = false;
  };
  const beats = setInterval(() => void beat(), leaseMs / 3);
  try {
    const result = await untilAborted(work(lost.signal), lost.signal);
    await extend();
    lost.signal.throwIfAborted();
    return result;
  } finally {
    clearInterval(beats);
  }
}

export const tooLate = () => new ConflictError('registering at remote services took too long: try again');
