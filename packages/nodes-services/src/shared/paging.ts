import {
  headerText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapSliced,
  NodeOperationError,
  valueAt,
} from '@sluice/node-sdk';
import { maxResultBytes } from '@sluice/nodes-base/node-tools';
import type { ApiAccess, ApiClient, ApiRequest, ApiResponse } from './api-client.ts';

/** A request to another path, without the query; `json` replaces the body. */
interface NextPath {
  path: string;
  json?: JsonObject;
}

/** How a service divides a list into pages. */
export interface Paging {
  /** The list in the body, or its path: `channels`, `data.items`; empty: the body itself. */
  list: string | ((body: JsonValue | undefined) => JsonValue | undefined);
  /**
   * Parameters that the next request adds, after `count` elements and `page` pages. `undefined`
   * after the last page.
   */
  next(
    response: ApiResponse,
    count: number,
    page: number,
  ): Pick<ApiRequest, 'query'> | NextPath | { json: JsonObject } | undefined;
}

const maxPages = 10_000;

/**
 * Bytes of a list that one poll handles. The next poll continues after them, so a long list is not
 * an error.
 */
export const portionBytes = maxResultBytes / 2;

/**
 * Sends a request page by page until `limit` elements are read or the list ends. Throws
 * `RESULT_TOO_LARGE` when all lists in the node run together exceed `maxResultBytes`.
 */
export async function sendAll(
  client: ApiClient,
  access: ApiAccess,
  request: ApiRequest,
  paging: Paging,
  limit = Number.POSITIVE_INFINITY,
): Promise<JsonObject[]> {
  const counted = { listed: { bytes: 0 }, ...access };
  const records: JsonObject[] = [];
  let current = request;
  for (let page = 1; page <= maxPages; page++) {
    const response = await client.exchange(access, current);
    countRead(counted, response.byteLength);
    for (const element of elementsOf(response.body, paging.list))
      records.push(isJsonObject(element) ? element : { value: element });
    const next = records.length >= limit ? undefined : paging.next(response, records.length, page);
    if (!next) return records.slice(0, limit);
    current = merged(current, next);
  }
  throw new NodeOperationError(`the list has more than ${maxPages} pages`, { itemIndex: access.itemIndex, description });
}

/**
 * The elements of a whole list that `keep` accepts. Only these count toward the run's limit,
 * because the others are not kept in memory.
 */
export async function sendAllWhere(
  client: ApiClient,
  access: ApiAccess,
  request: ApiRequest,
  paging: Paging,
  keep: (element: JsonObject) => boolean,
): Promise<JsonObject[]> {
  const listed = { bytes: 0 };
  const records = await sendAll(client, { ...access, listed }, request, paging);
  const isKept = await mapSliced(records, keep);
  const matches = records.filter((_, index) => isKept[index]);
  if (matches.length > 0) countRead(access, (listed.bytes * matches.length) / records.length);
  return matches;
}

/** The start of a list. */
interface Portion {
  elements: JsonObject[];
  /** Whether the list may continue after these elements. */
  isCut: boolean;
}

/**
 * Reads the pages of a list until they exceed `portionBytes` and `mayEndAfter` accepts the latest
 * page, or until the list ends. `mayEndAfter` is called for each page, in order.
 */
export async function sendPortion(
  client: ApiClient,
  access: ApiAccess,
  request: ApiRequest,
  paging: Paging,
  mayEndAfter: (elements: readonly JsonObject[], response: ApiResponse) => boolean,
): Promise<Portion> {
  const listed = { bytes: 0 };
  let isCut = false;
  const cutting: Paging = {
    ...paging,
    next(response, ...place) {
      const mayEnd = mayEndAfter(elementsOf(response.body, paging.list).filter(isJsonObject), response);
      isCut = mayEnd && listed.bytes > portionBytes;
      return isCut ? undefined : paging.next(response, ...place);
    },
  };
  const elements = await sendAll(client, { ...access, listed }, request, cutting);
  return { elements, isCut };
}

const description = 'Set a limit, or filter the list';

/** Counts the bytes that a node run has read besides its lists. Throws `RESULT_TOO_LARGE`. */
export function countRead({ listed, itemIndex }: Pick<ApiAccess, 'listed' | 'itemIndex'>, bytes: number): void {
  if (!listed) return;
  listed.bytes += bytes;
  if (listed.bytes <= maxResultBytes) return;
  const message = `the lists that the node read exceed ${maxResultBytes / 1024 / 1024} MiB`;
  throw new NodeOperationError(message, { itemIndex, description }, 'RESULT_TOO_LARGE');
}

/** A list without pages: one response contains all of it. */
export const onePage = (list = ''): Paging => ({ list, next: () => undefined });

/** Pages by a token in the body that the next request repeats as a query parameter. */
export function cursorPaging(list: string, tokenPath: string, parameter: string): Paging {
  return {
    list,
    next: ({ body }) => {
      const token = valueAt(body, tokenPath);
      return typeof token === 'string' && token !== '' ? { query: { [parameter]: token } } : undefined;
    },
  };
}

/** Pages by the header `link` (RFC 8288): the next page has the relation `next`. */
export function linkPaging(list: string): Paging {
  return {
    list,
    next({ headers }) {
      const link = headerText(headers, 'link').slice(0, 10_000);
      const next = link.split(',').find((one) => /rel="?next"?/.test(one));
      const path = /<([^<>]+)>/.exec(next ?? '')?.[1];
      return path === undefined ? undefined : { path };
    },
  };
}

function merged(request: ApiRequest, next: Partial<ApiRequest>): ApiRequest {
  if (next.path !== undefined) {
    const { query: _, ...rest } = request;
    return { ...rest, path: next.path, ...(next.json && { json: next.json }) };
  }
  const json = next.json && { json: { ...(request.json as JsonObject), ...(next.json as JsonObject) } };
  return { ...request, ...json, ...(next.query && { query: { ...request.query, ...next.query } }) };
}

function elementsOf(body: JsonValue | undefined, place: Paging['list']): readonly JsonValue[] {
  const list = typeof place === 'function' ? place(body) : place === '' ? body : valueAt(body, place);
  return Array.isArray(list) ? list : [];
}
