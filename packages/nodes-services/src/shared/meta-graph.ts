import { isJsonObject } from '@sluice/node-sdk';
import type { ApiResponse } from './api-client.ts';
import { objectOf } from './json-values.ts';
import type { Refusal } from './refusal.ts';

/**
 * Version of https://developers.facebook.com/docs/graph-api/changelog that our own requests use.
 */
export const graphUrl = 'https://graph.facebook.com/v23.0';

/**
 * Codes of short rate limits, with a pause in milliseconds: messages per second, and messages to
 * the same user (https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes).
 */
const pauses: ReadonlyMap<unknown, number> = new Map([
  [130_429, 1_000],
  [131_056, 6_000],
]);

/**
 * Codes of limits on requests in the last hour, per app, user, page, and others
 * (https://developers.facebook.com/docs/graph-api/overview/rate-limiting). Meta can disable apps
 * that keep sending, so attempts are few.
 */
const hourlyLimits: readonly unknown[] = [4, 17, 32, 613];
const hourlyPauseMs = 20_000;
const hourlyHint = 'Meta counts the requests of the last hour: send fewer, or run the workflow later';

/** https://developers.facebook.com/docs/graph-api/guides/error-handling */
export function metaRefusal({ body }: Pick<ApiResponse, 'body'>): Refusal {
  const error = objectOf(objectOf(body)['error']);
  const { code, error_user_msg: forUsers, message, error_data: data } = error;
  const details = isJsonObject(data) && typeof data['details'] === 'string' ? `: ${data['details']}` : '';
  const text = typeof forUsers === 'string' ? forUsers : message;
  const isHourly = hourlyLimits.includes(code);
  const retryAfterMs = isHourly ? hourlyPauseMs : pauses.get(code);
  return {
    ...(typeof code === 'number' && { code }),
    ...(typeof text === 'string' && { text: `${text}${details}` }),
    ...(isHourly && { hint: hourlyHint }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
