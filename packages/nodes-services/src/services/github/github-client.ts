import { type JsonValue, optionalCredentialText } from '@sluice/node-sdk';
import { withoutFinalSlashes } from '@sluice/nodes-base/node-tools';
import { type ApiAccess, ApiClient, type ApiResponse } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';
import { linkPaging } from '../../shared/paging.ts';
import type { Refusal } from '../../shared/refusal.ts';

/** https://docs.github.com/rest, version 2022-11-28 */
export const githubClient = new ApiClient({
  service: 'GitHub',
  credentialType: githubCredential,
  baseUrl: (credential) => withoutFinalSlashes(optionalCredentialText(credential, 'server', 'https://api.github.com')),
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28', 'user-agent': 'sluice' },
  refusalOf(response) {
    return { ...textOf(response.body), ...(isLimited(response) && limitOf(response)) };
  },
});

function githubCredential({ parameter }: ApiAccess): string {
  return parameter<string>('authentication', 'accessToken') === 'oAuth2' ? 'githubOAuth2Api' : 'githubApi';
}

/** The message, with the first detail of a failed validation. */
function textOf(body: JsonValue | undefined): Refusal {
  const { message, errors } = objectOf(body);
  if (typeof message !== 'string') return {};
  const [first] = [errors ?? []].flat();
  const { message: reason, field, code } = objectOf(first);
  const detail = reason ?? (field === undefined ? first : `${field} is ${code}`);
  return { text: typeof detail === 'string' ? `${message}: ${detail}` : message };
}

/**
 * GitHub also responds with 403:
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
function isLimited({ status, headers }: ApiResponse): boolean {
  return (
    (status === 403 || status === 429) && (headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0')
  );
}

function limitOf({ headers }: ApiResponse): Refusal {
  const resetMs = Number(headers['x-ratelimit-reset'] ?? 0) * 1_000 - Date.now();
  return { retryAfterMs: Math.max(1_000, resetMs), hint: 'The account has sent too many requests: wait, or send fewer' };
}

/** Maximum number of elements per page of a list. */
export const pageSize = 100;

export const pages = linkPaging('');
