import { ConflictError, untilAborted } from '@sluice/domain';
import type { RegistrationRepository } from './registration-repository.ts';

/** For how long registrations are held at a time, in milliseconds. Whoever is at them extends that every third of it; others take over when it has lapsed. */
export const registrationLeaseMs = 20_000;

/** Registrations, and who has taken them, until `leaseMs` later. */
export interface HeldRegistrations {
  ids: readonly string[];
  heldBy: string;
  /** Default: `registrationLeaseMs`. */
  leaseMs?: number;
  /** For how long they are held at most, in milliseconds; default: as long as the work takes. */
  limitMs?: number;
}

/**
 * What the work gives. The hold is extended while it goes on, and once more at its end. Rejects with a conflict as soon as somebody else has them, the database
 * has not answered within a lease, or the limit is over; the work's next `signal.throwIfAborted()` is its end then.
 */
export async function whileHeld<T>(
  registrations: Pick<RegistrationRepository, 'extend'>,
  { ids, heldBy, leaseMs = registrationLeaseMs, limitMs = Number.POSITIVE_INFINITY }: HeldRegistrations,
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
    await extend().catch(() => undefined); // the next beat tries again
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

const tooLate = () => new ConflictError('registering at remote services took too long: try again');
