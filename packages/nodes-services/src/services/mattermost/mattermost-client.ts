import type { JsonObject } from '@sluice/node-sdk';
import { credentialText } from '@sluice/node-sdk';
import { withoutFinalSlashes } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { objectOf, textOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developers.mattermost.com/api-documentation/ */
export const mattermostClient = new ApiClient({
  service: 'Mattermost',
  credentialType: 'mattermostApi',
  baseUrl: (credential) => `${withoutFinalSlashes(credentialText(credential, 'baseUrl').trim())}/api/v4`,
  refusalOf({ status, body, headers }) {
    const { id, message } = objectOf(body);
    const seconds = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
    return {
      ...(textOf(id) !== '' && { code: textOf(id) }),
      ...(textOf(message) !== '' && { text: textOf(message) }),
      ...(status === 429 && Number.isFinite(seconds) && { retryAfterMs: seconds * 1_000 }),
    };
  },
});

/** Maximum number of elements per page. */
export const pageSize = 200;

/** Lists have zero-based pages; the last page is not full. */
const pagesOf = (size: number): Paging => ({
  list: '',
  next: ({ body }, count) =>
    Array.isArray(body) && body.length >= size ? { query: { page: Math.ceil(count / size) } } : undefined,
});

/** Requests a list, limited by the parameters `returnAll` and `limit`. */
export function listed(item: ServiceItem, path: string, query: JsonObject = {}): Promise<JsonObject[]> {
  const limit = item.limit(100);
  return item.list({ path, query: { ...query, page: 0, per_page: Math.min(limit, pageSize) } }, pages(limit), limit);
}

export const pages = (limit: number): Paging => pagesOf(Math.min(limit, pageSize));

/** Part of a path. */
export const part = (item: ServiceItem, name: string): string => encodeURIComponent(item.id(name));
