import { type Slots, UnavailableError } from '@sluice/domain';

/**
 * Takes a slot for an owner; resolves to a function that releases it. Throws an `UnavailableError`
 * with the message after `patienceMs`.
 */
export async function takeInTime(
  slots: Slots,
  owner: string,
  { patienceMs, message }: { patienceMs: number; message: string },
): Promise<() => void> {
  const tooLong = new AbortController();
  const timer = setTimeout(() => tooLong.abort(new UnavailableError(message)), patienceMs);
  return slots.take(owner, tooLong.signal).finally(() => clearTimeout(timer));
}
