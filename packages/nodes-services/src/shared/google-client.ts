import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { ApiClient, type ApiResponse } from './api-client.ts';
import { objectOf } from './json-values.ts';
import type { Refusal } from './refusal.ts';

const hints: ReadonlyMap<string, string> = new Map([
  [
    'PERMISSION_DENIED',
    'Share the document with the account of the credential, or add the scope. If the message names an API that is disabled, enable it in the Google Cloud console',
  ],
  [
    'RESOURCE_EXHAUSTED',
    'The quota of the Google project is used up: process more items at once, or raise it in the Google Cloud console',
  ],
  ['UNAUTHENTICATED', 'Connect the account of the credential again'],
]);

/**
 * Quotas are per minute, and most responses contain no reset time:
 * https://cloud.google.com/docs/quotas
 */
const pauseMs = 15_000;

/**
 * Google’s APIs for a user (`oAuth2`), or for a service account. `byServiceAccount`: node versions
 * whose default is a service account.
 */
export function googleClient(
  service: string,
  baseUrl: string,
  oAuth2: string,
  byServiceAccount: readonly number[] = [],
): ApiClient {
  return new ApiClient({
    service,
    baseUrl,
    credentialType: ({ parameter, typeVersion }) => {
      const fallback = byServiceAccount.includes(typeVersion) ? 'serviceAccount' : 'oAuth2';
      return parameter<string>('authentication', fallback) === 'serviceAccount' ? 'googleApi' : oAuth2;
    },
    refusalOf,
  });
}

/** https://google.aip.dev/193 */
function refusalOf({ status, body }: ApiResponse): Refusal {
  const error = objectOf(objectOf(body)['error']);
  const reason = textIn(error['status']) ?? reasonIn(error['errors']);
  return {
    code: reason,
    text: textIn(error['message']),
    hint: reason === undefined ? undefined : hints.get(reason),
    ...(isQuota(status, reason) && { retryAfterMs: pauseMs }),
  };
}

const isQuota = (status: number, reason = ''): boolean =>
  status === 429 || reason === 'rateLimitExceeded' || reason === 'userRateLimitExceeded';

/** Older APIs return a list of errors. */
function reasonIn(errors: JsonValue | undefined): string | undefined {
  const first: JsonValue | undefined = Array.isArray(errors) ? errors[0] : undefined;
  return first !== undefined && isJsonObject(first) ? textIn((first as JsonObject)['reason']) : undefined;
}

const textIn = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
