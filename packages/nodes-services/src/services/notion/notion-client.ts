import { isJsonObject, type JsonObject } from '@sluice/node-sdk';
import { type ApiAccess, ApiClient } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const hints: ReadonlyMap<string, string> = new Map([
  ['object_not_found', 'Check the ID, and share the page or database with the integration: ••• → Connections'],
  ['validation_error', 'Check the properties: names, types, and options must be those of the database'],
  ['restricted_resource', 'Check the capabilities of the integration, such as "Update content"'],
  ['unauthorized', 'Check the token of the credential'],
]);

/** Pause before a retry if another change was made at the same time. */
const conflictPauseMs = 1_000;

/** https://developers.notion.com/reference, version 2022-06-28 */
export const notionClient = new ApiClient({
  service: 'Notion',
  credentialType: notionCredential,
  baseUrl: 'https://api.notion.com/v1',
  headers: { 'notion-version': '2022-06-28' },
  refusalOf({ body }) {
    const { code, message } = objectOf(body);
    return {
      ...(typeof code === 'string' && { code, hint: hints.get(code) }),
      ...(typeof message === 'string' && { text: message }),
      ...(code === 'conflict_error' && { retryAfterMs: conflictPauseMs }),
    };
  },
});

function notionCredential({ parameter }: ApiAccess): string {
  return parameter<string>('authentication', 'apiKey') === 'oAuth2' ? 'notionOAuth2Api' : 'notionApi';
}

/**
 * Maximum number of elements per page that Notion returns, and of blocks per request that it
 * accepts.
 */
export const pageSize = 100;

/** Lists from a GET request. */
export const pages: Paging = {
  list: 'results',
  next: ({ body }) => {
    const cursor = cursorIn(body);
    return cursor === undefined ? undefined : { query: { start_cursor: cursor } };
  },
};

/** Lists from a POST request, whose body contains the cursor. */
export const queried: Paging = {
  list: 'results',
  next: ({ body }) => {
    const cursor = cursorIn(body);
    return cursor === undefined ? undefined : { json: { start_cursor: cursor } };
  },
};

function cursorIn(body: unknown): string | undefined {
  const { has_more: hasMore, next_cursor: cursor } = isJsonObject(body as JsonObject) ? (body as JsonObject) : {};
  return hasMore === true && typeof cursor === 'string' ? cursor : undefined;
}

const id = '([0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})(?![0-9a-f])';
/** The database in a URL. Its query may contain a view. */
export const databaseUrl = new RegExp(`^https?://[^?#]*?${id}`, 'i');
/** The page in a URL; a page that is open over a database is in the query. */
export const pageUrl = new RegExp(`^https?://(?:[^#]*[?&]p=|[^#]*?)${id}`, 'i');
/** The block in a URL, after the `#`; otherwise the page. */
export const blockUrl = new RegExp(`^https?://(?:[^#]*#|[^#]*[?&]p=|[^#]*?)${id}`, 'i');

/** An ID from a resource locator or a string, either of which may contain a URL instead. */
export function idOf(item: Pick<ServiceItem, 'id'>, path: string, links: RegExp): string {
  return idIn(item.id(path, links), links);
}

/** The ID in a URL; other text is an ID itself. */
export function idIn(text: string, links: RegExp): string {
  return links.exec(text.slice(0, 2_000))?.[1] ?? text;
}

/** Path of an object of the API. */
export function pathOf(kind: 'blocks' | 'databases' | 'pages' | 'users', objectId: string, more = ''): string {
  return `/${kind}/${encodeURIComponent(objectId)}${more}`;
}
