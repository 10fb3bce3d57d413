import type { IdempotencyKey } from '@sluice/db';
import { invalidRequest } from '@sluice/domain';

/** Longest wait that a client may request, in milliseconds. */
const maxWaitMs = 600_000;

/**
 * Milliseconds to wait for a run, by the `Prefer` header (RFC 7240): `respond-async`, or
 * `wait=<seconds>`. `undefined` without a valid preference: the RFC asks to ignore others.
 */
export function preferredWaitMs(header: string | undefined): number | undefined {
  const preferences = (header ?? '').split(',').map((preference) => (preference.split(';')[0] ?? '').trim().toLowerCase());
  if (preferences.includes('respond-async')) return 0;
  const wait = preferences
    .map((preference) => /^wait\s*=\s*"?(\d{1,9})"?$/.exec(preference)?.[1])
    .find((value) => value !== undefined);
  return wait === undefined ? undefined : Math.min(Number(wait) * 1000, maxWaitMs);
}

/** The `Idempotency-Key` header, valid per user and path; `undefined` without one. */
export function idempotencyKeyOf(header: string | undefined, userId: string, path: string): IdempotencyKey | undefined {
  const key = printableHeader('Idempotency-Key', header);
  return key === undefined ? undefined : { userId, path, key };
}

/** The value of a header, such as a key; `undefined` if absent. Throws `ValidationError`. */
export function printableHeader(name: string, value: string | string[] | undefined): string | undefined {
  if (value === undefined || (typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value))) return value;
  throw invalidRequest(name, 'must be 1 to 255 printable ASCII characters');
}
