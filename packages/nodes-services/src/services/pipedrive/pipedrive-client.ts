import { type JsonObject, type JsonValue, mapSliced } from '@sluice/node-sdk';
import { type ApiAccess, ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { asText, objectOf, textOf } from '../../shared/json-values.ts';
import { cursorPaging, type Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const credentialTypes: ReadonlyMap<string, string> = new Map([['oAuth2', 'pipedriveOAuth2Api']]);

/**
 * https://developers.pipedrive.com/docs/api/v1; version 2 where it exists, because Pipedrive has
 * removed the version 1 counterparts.
 */
export const pipedriveClient = new ApiClient({
  service: 'Pipedrive',
  credentialType: ({ parameter }: ApiAccess) =>
    credentialTypes.get(parameter<string>('authentication', 'apiToken')) ?? 'pipedriveApi',
  baseUrl: 'https://api.pipedrive.com',
  refusalOf({ status, headers, body }) {
    const { error, code, error_info: info } = objectOf(body);
    const resetSeconds = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
    return {
      ...(textOf(error) !== '' && { text: textOf(error) }),
      ...(textOf(code) !== '' && { code: textOf(code) }),
      ...(textOf(info) !== '' && { hint: textOf(info) }),
      ...(status === 429 && Number.isFinite(resetSeconds) && { retryAfterMs: Math.max(1, resetSeconds) * 1_000 }),
    };
  },
});

/** Maximum number of elements per page of a list. */
const pageSize = 500;

export const pages = cursorPaging('data', 'additional_data.next_cursor', 'cursor');
const searchPaging = cursorPaging('data.items', 'additional_data.next_cursor', 'cursor');

/** Pages in version 1, by the next page's position. */
const offsets: Paging = {
  list: 'data',
  next({ body }) {
    const { more_items_in_collection: more, next_start: start } = objectOf(
      objectOf(objectOf(body)['additional_data'])['pagination'],
    );
    return more === true && typeof start === 'number' ? { query: { start } } : undefined;
  },
};

/**
 * Lists by the parameters `returnAll` and `limit`. `keep`: a condition that Pipedrive does not
 * support, so the whole list is read.
 */
export async function listed(
  item: ServiceItem,
  path: string,
  query: JsonObject = {},
  keep?: (record: JsonObject) => boolean,
): Promise<JsonObject[]> {
  const limit = item.limit(100);
  const paging = path.startsWith('/api/v2/') ? pages : offsets;
  if (!keep) return item.list({ path, query: { ...query, limit: Math.min(limit, pageSize) } }, paging, limit);
  return (await item.listWhere({ path, query: { ...query, limit: pageSize } }, paging, keep)).slice(0, limit);
}

/** Finds records; without `rawData`, returns only the records, without their match scores. */
export async function searched(item: ServiceItem, kind: string): Promise<JsonObject[]> {
  const limit = item.limit(100);
  const { exactMatch, fields, includeFields, organizationId, personId, rawData, status } = item.fields('additionalFields');
  const query = {
    term: item.required('term'),
    ...((item.toggle('exactMatch') || exactMatch === true) && { exact_match: true }),
    ...(fields !== undefined && { fields: joined(fields) }),
    ...(includeFields !== undefined && { include_fields: joined(includeFields) }),
    ...(organizationId !== undefined && { organization_id: organizationId }),
    ...(personId !== undefined && { person_id: personId }),
    ...(status !== undefined && { status }),
    limit: Math.min(limit, pageSize),
  };
  const results = await item.list({ path: `/api/v2/${kind}/search`, query }, searchPaging, limit);
  return rawData === true ? results : mapSliced(results, (one) => objectOf(one['item']));
}

/** Sends a request; resolves to the `data` of its response. */
export async function dataOf(item: ServiceItem, request: ApiRequest): Promise<JsonValue> {
  return objectOf(await item.send(request))['data'] ?? {};
}

export const pathOf = (item: ServiceItem, kind: string, parameter: string, more = ''): string =>
  `${kind}/${encodeURIComponent(item.id(parameter).trim())}${more}`;

/** Pipedrive separates the values of a list with commas. */
const joined = (value: JsonValue): JsonValue => (Array.isArray(value) ? value.map(asText).join() : value);

/**
 * Version 2 accepts no numbers as text. Text that is not a number is sent unchanged, and Pipedrive
 * explains the error.
 */
export const numeric = (value: JsonValue): JsonValue =>
  typeof value === 'string' && /^-?\d{1,15}(\.\d{1,10})?$/.test(value.trim()) ? Number(value) : value;
