import type { IdempotencyKey } from '@sluice/db';
import { ValidationError } from '@sluice/domain';

/** The `Idempotency-Key` of a request, which counts per user and path; `undefined` without one. */
export function idempotencyKeyOf(header: string | undefined, userId: string, path: string): IdempotencyKey | undefined {
  if (header === undefined) return undefined;
  if (!/^[\x20-\x7e]{1,255}$/.test(header)) {
    const message = 'must be 1 to 255 printable ASCII characters';
    throw new ValidationError('the request is not valid', [{ path: 'Idempotency-Key', message }]);
  }
  return { userId, path, key: header };
}
