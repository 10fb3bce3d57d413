import type { DeliveryOutcome } from '@sluice/db';
import { type DeliveryAttempt, deliveryPausesMs } from '@sluice/domain';

/** Maximum pause that a receiver can request with `Retry-After`, in milliseconds. */
const longestAskedMs = 3_600_000;

/**
 * Outcome of an attempt. A 2xx ends the delivery, and a 410 ends the subscription. Otherwise
 * another attempt follows after the schedule's next pause, varied by a tenth, until the schedule is
 * exhausted.
 *
 * @param attempt 1 for the first.
 * @param retryAfter the header of the response, in seconds; a date is ignored.
 */
export function nextAttempt(
  { status }: Pick<DeliveryAttempt, 'status'>,
  attempt: number,
  { retryAfter, random = Math.random }: { retryAfter?: string | undefined; random?: () => number } = {},
): DeliveryOutcome {
  if (status !== null && status >= 200 && status < 300) return { status: 'delivered' };
  if (status === 410) return { status: 'failed', disable: 'the receiver responded 410 Gone' };
  const pauseMs = deliveryPausesMs[attempt - 1];
  if (pauseMs === undefined) return { status: 'failed' };
  const askedMs = Math.min(longestAskedMs, (Number(retryAfter) || 0) * 1_000);
  return { status: 'pending', pauseMs: Math.round(Math.max(askedMs, pauseMs * (0.9 + 0.2 * random()))) };
}
