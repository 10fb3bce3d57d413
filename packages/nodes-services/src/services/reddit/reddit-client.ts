import { headerText, isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/**
 * https://www.reddit.com/dev/api, for the credential's account; Reddit blocks generic user agents.
 */
export const redditClient = new ApiClient({
  service: 'Reddit',
  credentialType: 'redditOAuth2Api',
  baseUrl: 'https://oauth.reddit.com',
  headers: { 'user-agent': 'server:sluice:1.0 (workflow automation)' },
  refusesWithSuccess: true,
  refusalOf({ status, headers, body }) {
    const errors = errorsIn(body);
    if (status >= 200 && status <= 299 && errors.length === 0) return undefined;
    const seconds = Number(headerText(headers, 'x-ratelimit-reset'));
    const [code, words] = errors[0] ?? [];
    return {
      ...(typeof code === 'string' && { code }),
      ...(typeof words === 'string' && { text: words }),
      ...(status === 429 && seconds > 0 && { retryAfterMs: seconds * 1_000 }),
    };
  },
});

/**
 * Write requests return errors with status 200: `json.errors`, each a code, a message, and a field.
 */
function errorsIn(body: JsonValue | undefined): JsonValue[][] {
  const { errors = [] } = objectOf(objectOf(body)['json']);
  return [errors].flat(1).filter((one) => Array.isArray(one));
}

/** Sends a form to a write operation; resolves to `json.data`. */
export async function write(item: ServiceItem, path: string, form: Record<string, string>): Promise<JsonValue | undefined> {
  const body = await item.send({ path, form: { ...form, api_type: 'json' } });
  return objectOf(objectOf(body)['json'])['data'] ?? body;
}

export const subreddit = text('subreddit', 'Subreddit', 'Name of the subreddit, without `r/`', { required: true });
export const postId = text('postId', 'Post ID', 'ID of the post: the part of its address after `/comments/`', {
  required: true,
});

export const defaultLimit = 100;
export const listProperties = listPropertiesOf(defaultLimit);

export const subredditPath = (item: ServiceItem): string =>
  `/r/${encodeURIComponent(item.required('subreddit').replace(/^\/?r\//, ''))}`;

/** ID with the prefix of its kind: https://www.reddit.com/dev/api#fullnames */
export const fullName = (item: ServiceItem, path: string, kind: 't1' | 't3'): string =>
  `${kind}_${item.required(path).replace(/^t[13]_/, '')}`;

/** Pages of a listing: https://www.reddit.com/dev/api#listings */
const pages: Paging = {
  list: 'data.children',
  next: ({ body }) => {
    const { after } = objectOf(objectOf(body)['data']);
    return typeof after === 'string' ? { query: { after } } : undefined;
  },
};

/** A listing's contents, to its end or to the limit. */
export async function listed(item: ServiceItem, request: ApiRequest, limit = item.limit(defaultLimit)): Promise<JsonObject[]> {
  const query = { ...request.query, limit: Math.min(limit, 100) };
  return (await item.list({ ...request, query }, pages, limit)).map(contentOf);
}

/** The content without its envelope of kind and data. */
export function contentOf(thing: JsonObject): JsonObject {
  return isJsonObject(thing['data']) ? thing['data'] : thing;
}
