import { isJsonObject, type JsonObject, type JsonValue, mapSliced, stringifyJson } from '@sluice/node-sdk';
import { type ApiAccess, ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { type Paging, sendAll } from '../../shared/paging.ts';
import type { Refusal } from '../../shared/refusal.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developer.monday.com/api-reference: error responses have status 200 and `errors`. */
export const mondayComClient = new ApiClient({
  service: 'monday.com',
  credentialType: ({ parameter }) =>
    parameter<string>('authentication', 'accessToken') === 'oAuth2' ? 'mondayComOAuth2Api' : 'mondayComApi',
  baseUrl: 'https://api.monday.com/v2',
  refusesWithSuccess: true,
  refusalOf: ({ body }) => (isJsonObject(body ?? null) ? refusalIn(body as JsonObject) : undefined),
});

const hints: ReadonlyMap<string, string> = new Map([
  ['ColumnValueException', 'Check the value: each type of column has a format of its own'],
  ['InvalidBoardIdException', 'Check the ID of the board: the account of the credential may not see it'],
  ['InvalidColumnIdException', 'Check the ID of the column'],
  ['ResourceNotFoundException', 'Check the IDs: an object does not exist, or the account of the credential cannot see it'],
]);

/** Codes of temporary limits. */
const limits = /complexity|rate_?limit|concurrency|daily_?limit/i;
const defaultPauseMs = 10_000;

function refusalIn({ errors, error_code: oldCode, error_message: oldText }: JsonObject): Refusal | undefined {
  if (errors === undefined && oldCode === undefined && oldText === undefined) return undefined;
  const [first = {}] = objectsOf(errors);
  const extensions = objectOf(first['extensions']);
  const code = textOf(extensions['code']) || textOf(oldCode);
  const [plain] = [errors ?? []].flat();
  const text = textOf(first['message']) || textOf(oldText) || textOf(plain);
  const hint = hints.get(code);
  const pause = limits.test(code) || /complexity budget/i.test(text) ? pauseOf(extensions, text) : undefined;
  return {
    ...(code !== '' && { code }),
    ...(text !== '' && { text }),
    ...(hint !== undefined && { hint }),
    ...(pause !== undefined && { retryAfterMs: pause }),
  };
}

/**
 * The response contains the seconds until the limit resets; older responses contain them in their
 * text.
 */
function pauseOf({ retry_in_seconds: seconds }: JsonObject, text: string): number {
  if (typeof seconds === 'number') return seconds * 1_000;
  const [, resetSeconds] = /reset in (\d{1,6}) seconds/.exec(text.slice(0, 1_000)) ?? [];
  return resetSeconds === undefined ? defaultPauseMs : Number(resetSeconds) * 1_000;
}

type Variables = Readonly<Record<string, JsonValue | undefined>>;

function requestOf(query: string, variables: Variables): ApiRequest {
  const entries = Object.entries(variables).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return { method: 'POST', path: '', json: { query, variables: Object.fromEntries(entries) } };
}

/** Sends a query or a mutation; resolves to `data`. */
export async function ask(access: ApiAccess, query: string, variables: Variables = {}): Promise<JsonObject> {
  return objectOf(objectOf(await mondayComClient.send(access, requestOf(query, variables)))['data']);
}

/** Maximum number of elements per page. */
const pageSize = 100;

/** A list with numbered pages; the last page is not full. */
export function numberedPages(access: ApiAccess, query: string, list: string, limit: number): Promise<JsonObject[]> {
  const size = Math.min(limit, pageSize);
  const elementsIn = (body: JsonValue | undefined) => objectOf(objectOf(body)['data'])[list];
  const paging: Paging = {
    list: elementsIn,
    next: ({ body }, _, page) =>
      objectsOf(elementsIn(body)).length >= size ? { json: { variables: { page: page + 1, limit: size } } } : undefined,
  };
  return sendAll(mondayComClient, access, requestOf(query, { page: 1, limit: size }), paging, limit);
}

const itemFields =
  'id name created_at state group { id title } column_values { id text type value column { title archived description settings_str } }';
export const itemsPage = `{ cursor items { ${itemFields} } }`;
export const itemsQuery = `query ($ids: [ID!]) { items (ids: $ids) { ${itemFields} } }`;
const nextItems = `query ($cursor: String!, $limit: Int!) { next_items_page (cursor: $cursor, limit: $limit) ${itemsPage} }`;

/**
 * A board's items, starting with the first page:
 * https://developer.monday.com/api-reference/reference/items-page
 */
export async function cursorPages(
  access: ApiAccess,
  query: string,
  variables: Variables,
  pageIn: (data: JsonObject) => JsonValue | undefined,
  limit: number,
): Promise<JsonObject[]> {
  const size = Math.min(limit, pageSize);
  const pageOf = (body: JsonValue | undefined): JsonObject => {
    const data = objectOf(objectOf(body)['data']);
    return objectOf(data['next_items_page'] ?? pageIn(data));
  };
  const paging: Paging = {
    list: (body) => pageOf(body)['items'],
    next({ body }) {
      const cursor = textOf(pageOf(body)['cursor']);
      return cursor === '' ? undefined : { json: { query: nextItems, variables: { cursor, limit: size } } };
    },
  };
  const records = await sendAll(mondayComClient, access, requestOf(query, { ...variables, limit: size }), paging, limit);
  return mapSliced(records, simplified);
}

/** An item whose column values include the column titles. */
export function simplified({ column_values: values, ...item }: JsonObject): JsonObject {
  const flat = objectsOf(values).map(({ column, ...value }) => {
    const { settings_str: additional_info, ...rest } = objectOf(column);
    return { ...value, ...rest, additional_info: additional_info ?? null };
  });
  return { ...item, column_values: flat };
}

/** A parameter's JSON as the text that the API expects; `undefined` if it is empty. */
export async function jsonText(item: ServiceItem, path: string): Promise<string | undefined> {
  const value = item.json(path);
  return value === undefined ? undefined : stringifyJson(value);
}
