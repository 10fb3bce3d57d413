import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { type ApiAccess, ApiClient, type ApiRequest, type ApiResponse } from '../../shared/api-client.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';
import type { Refusal } from '../../shared/refusal.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const credentialTypes: ReadonlyMap<string, string> = new Map([
  ['appToken', 'hubspotAppToken'],
  ['oAuth2', 'hubspotOAuth2Api'],
]);

/**
 * Burst limits last ten seconds:
 * https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines
 */
const pauseMs = 10_000;

/**
 * https://developers.hubspot.com/docs/api-reference/legacy: nodes return the responses of these API
 * versions, which imported workflows read. Searches use version 3.
 */
export const hubspotClient = new ApiClient({
  service: 'HubSpot',
  credentialType: ({ parameter }: ApiAccess) =>
    credentialTypes.get(parameter<string>('authentication', 'apiKey')) ?? 'hubspotApi',
  baseUrl: 'https://api.hubapi.com',
  refusalOf: hubspotRefusal,
});

/** HubSpot's message and code, with the first detail of a failed validation. */
export function hubspotRefusal({ status, body }: ApiResponse): Refusal {
  const { message, category, validationResults } = objectOf(body);
  const [first] = [validationResults ?? []].flat();
  const detail = isJsonObject(first) ? textOf(first['message']) : '';
  const text = [textOf(message), detail].filter((one) => one !== '').join(': ');
  return {
    ...(text !== '' && { text }),
    ...(typeof category === 'string' && { code: category }),
    ...(status === 429 && { retryAfterMs: pauseMs }),
  };
}

/** How a list in the older APIs names its members. */
interface ListForm {
  list: string;
  /** Response member → query parameter of the next request. */
  offsets: Readonly<Record<string, string>>;
  more: string;
  /** Query parameter for the page size, and its maximum. */
  size: readonly [name: string, max: number];
}

/** Requests a list, limited by the parameters `returnAll` and `limit`. */
export function listed(item: ServiceItem, request: ApiRequest, form: ListForm): Promise<JsonObject[]> {
  const limit = item.limit(100);
  const [name, max] = form.size;
  return item.list({ ...request, query: { ...request.query, [name]: Math.min(limit, max) } }, pagesOf(form), limit);
}

function pagesOf({ list, offsets, more }: ListForm): Paging {
  return {
    list,
    next({ body }) {
      const entries = objectOf(body);
      if (ownProperty(entries, more) !== true) return undefined;
      return {
        query: Object.fromEntries(Object.entries(offsets).map(([from, to]) => [to, ownProperty(entries, from) ?? null])),
      };
    },
  };
}

const searchPageSize = 100;

const searchPages: Paging = {
  list: 'results',
  next: ({ body }) => {
    const after = objectOf(objectOf(objectOf(body)['paging'])['next'])['after'];
    return after === undefined ? undefined : { json: { after } };
  },
};

/** Finds objects by conditions: https://developers.hubspot.com/docs/api-reference/search/guide */
export function searchObjects(item: ServiceItem, kind: 'contacts' | 'deals'): Promise<JsonObject[]> {
  const limit = item.limit(100);
  const { query, direction = 'DESCENDING', sortBy = 'createdate', properties } = item.fields('additionalFields');
  const json = {
    filterGroups: item.entries('filterGroupsUi.filterGroupsValues').map(groupOf),
    sorts: [{ propertyName: nameOf(sortBy), direction }],
    limit: Math.min(limit, searchPageSize),
    ...(query !== undefined && { query }),
    ...(properties !== undefined && { properties: namesOf(properties) }),
  };
  return item.list({ path: `/crm/v3/objects/${kind}/search`, json }, searchPages, limit);
}

function groupOf({ filtersUi }: JsonObject): JsonObject {
  return { filters: objectsOf(objectOf(filtersUi)['filterValues']).map(filterOf) };
}

const listOperators = new Set(['IN', 'NOT_IN']);
const flagOperators = new Set(['HAS_PROPERTY', 'NOT_HAS_PROPERTY']);

function filterOf({ propertyName = '', operator = 'EQ', value = '', values, highValue }: JsonObject): JsonObject {
  const filter = { propertyName: nameOf(propertyName), operator };
  if (flagOperators.has(asText(operator))) return filter;
  if (listOperators.has(asText(operator))) return { ...filter, values: namesOf(values ?? value) };
  return {
    ...filter,
    value: asText(value),
    ...(highValue !== undefined && highValue !== '' && { highValue: asText(highValue) }),
  };
}

/** `email|string` → `email`: editors add the type. */
export const nameOf = (value: JsonValue): string => asText(value).split('|', 1).join();

/** Names in a list, or in comma-separated text. */
export function namesOf(value: JsonValue): string[] {
  const list = typeof value === 'string' ? value.split(',') : [value].flat();
  return list.map((one) => nameOf(one ?? '').trim()).filter((one) => one !== '');
}

/** HubSpot times are milliseconds; editors store text. Other text is unchanged. */
export async function timeOf(item: ServiceItem, value: JsonValue): Promise<JsonValue> {
  if (typeof value !== 'string' || /^\d*$/.test(value)) return value;
  return (await item.readTime(value)) ?? value;
}
