import { headerText } from '@sluice/node-sdk';
import type { ApiResponse } from './api-client.ts';
import type { Refusal } from './refusal.ts';

/**
 * The first pause if the service does not request a duration. Each further pause is twice as long.
 */
const firstPauseMs = 1_000;

/**
 * Pause after an attempt, 1-based, in milliseconds: if the service limits the rate (429), is
 * unavailable (503) and requests a pause, or if the refusal has a pause. `undefined`: a retry
 * cannot help. The header is a number of seconds or a date (RFC 9110).
 */
export function retryAfterMs(
  { status, headers }: Pick<ApiResponse, 'status' | 'headers'>,
  refusal: Refusal,
  attempt: number,
): number | undefined {
  if (refusal.retryAfterMs === undefined && status !== 429 && status !== 503) return undefined;
  const header = headerText(headers, 'retry-after').trim();
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  if (!Number.isNaN(at)) return Math.max(0, at - Date.now());
  return refusal.retryAfterMs ?? (status === 429 ? firstPauseMs * 2 ** (attempt - 1) : undefined);
}
