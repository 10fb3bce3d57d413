import { isJsonObject, type JsonValue, NodeApiError, ownProperty } from '@sluice/node-sdk';
import type { ApiResponse } from './api-client.ts';
import { asText } from './json-values.ts';

/** The error message and code of a service that rejects a request. */
export interface Refusal {
  /** The service's error code. */
  code?: string | number | undefined;
  /** The service's text. Default: found in the usual body members. */
  text?: string | undefined;
  /** Advice for the author. Default: derived from the status. */
  hint?: string | undefined;
  /** Pause until a retry can succeed, if the service sends no `retry-after`. */
  retryAfterMs?: number | undefined;
}

const hints: ReadonlyMap<number, string> = new Map([
  [400, 'Check the parameters: the service did not accept a value'],
  [401, 'Check the credential: the service does not know it, or it has expired'],
  [403, 'The account of the credential may not do this: check its permissions at the service'],
  [404, 'Check the ID or name: it does not exist, or the account of the credential cannot see it'],
  [409, 'The service has another state than expected: read the record again, then retry'],
  [413, 'Send less at a time: the request is too large for the service'],
  [429, 'Send fewer requests at a time, for example with a loop and a wait node'],
]);

const maxText = 500;

/** The error for a rejected request: `Telegram: Bad Request: chat not found (400)`. */
export function refusedError(
  service: string,
  { status, statusText, body, start }: Pick<ApiResponse, 'status' | 'statusText' | 'body' | 'start'>,
  { code, text = messageIn(body, 0), hint }: Refusal,
  { itemIndex, waitMs }: { itemIndex?: number | undefined; waitMs?: number | undefined } = {},
): NodeApiError {
  const words = text.trim() === '' ? `the service returned ${status} ${statusText}`.trim() : text.trim().slice(0, maxText);
  const shownCode = code ?? (words.includes(asText(status)) ? undefined : status);
  const general = status >= 500 ? 'The service failed: try again later, or switch on "Retry On Fail"' : 'Check the parameters';
  const later = waitMs === undefined ? '' : `. The service accepts requests again in ${Math.ceil(waitMs / 1000)} seconds`;
  return new NodeApiError(`${service}: ${words}${shownCode === undefined ? '' : ` (${shownCode})`}`, {
    itemIndex,
    description: `${hint ?? hints.get(status) ?? general}${later}`,
    details: {
      status,
      ...(code !== undefined && { code }),
      ...(waitMs !== undefined && { retryAfterMs: waitMs }),
      body: start,
    },
  });
}

const fields = ['message', 'error_description', 'description', 'error_message', 'detail', 'title', 'error', 'errors'];

/** The text in commonly used members; empty if they have no text. */
function messageIn(value: JsonValue | undefined, depth: number): string {
  if (typeof value === 'string') return depth === 0 ? '' : value;
  if (Array.isArray(value)) return depth > 2 ? '' : messageIn(value[0], depth + 1);
  if (!isJsonObject(value) || depth > 2) return '';
  for (const field of fields) {
    const text = messageIn(ownProperty(value, field), depth + 1);
    if (text !== '') return text;
  }
  return '';
}
