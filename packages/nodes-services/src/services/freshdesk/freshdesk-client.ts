import { headerText, type JsonObject, type JsonValue, type NodeProperty, optionalCredentialText } from '@sluice/node-sdk';
import { list, namesParameter, text } from '@sluice/nodes-base/node-tools';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developers.freshdesk.com/api/ */
export const freshdeskClient = new ApiClient({
  service: 'Freshdesk',
  credentialType: 'freshdeskApi',
  baseUrl: (credential) => `https://${optionalCredentialText(credential, 'domain').trim()}.freshdesk.com/api/v2`,
  refusalOf({ body }) {
    const { code, message, description, errors } = objectOf(body);
    const [first = {}] = objectsOf(errors);
    const detail = [first['field'], first['message']].map(textOf).filter((part) => part !== '');
    const words = [textOf(message) || textOf(description), detail.join(': ')].filter((part) => part !== '').join('; ');
    const reason = textOf(code) || textOf(first['code']);
    return { ...(reason !== '' && { code: reason }), ...(words !== '' && { text: words }) };
  },
});

const pageSize = 100;

/** Pages are numbered, and a header links to the next. */
const pages: Paging = {
  list: '',
  next: ({ headers }, _, page) =>
    /rel="?next"?/.test(headerText(headers, 'link').slice(0, 10_000)) ? { query: { page: page + 1 } } : undefined,
};

/** Requests a list, limited by the parameters `returnAll` and `limit`. */
export function listed(item: ServiceItem, path: string, query: ApiRequest['query']): Promise<JsonObject[]> {
  const limit = item.limit();
  return item.list({ path, query: { ...query, per_page: Math.min(limit, pageSize) } }, pages, limit);
}

export const pathOf = (item: ServiceItem, kind: string, parameter: string): string =>
  `/${kind}/${encodeURIComponent(item.id(parameter).trim())}`;

/** Freshdesk refuses IDs and choices that are text. */
export function integer(item: Pick<ServiceItem, 'error'>, name: string, value: JsonValue): number {
  const number = typeof value === 'number' ? value : Number(asText(value).trim() || Number.NaN);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw item.error(`the value of "${name}" is not a positive number`, 'Set it to a number');
}

/** How a field of a collection becomes a member of a request. */
export interface Field {
  member: string;
  /** Default: text. */
  is?: 'integer' | 'time' | 'toggle' | 'names' | 'custom' | ReadonlyMap<string, number>;
}

/** The members of a request that a collection sets. */
export async function membersOf(item: ServiceItem, path: string, fields: Readonly<Record<string, Field>>): Promise<JsonObject> {
  const members: JsonObject = {};
  for (const [name, value] of Object.entries(item.fields(path))) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) continue;
    const read = await convertedValue(item, `${path}.${name}`, value, field.is);
    if (read !== undefined) members[field.member] = read;
  }
  return members;
}

async function convertedValue(
  item: ServiceItem,
  path: string,
  value: JsonValue,
  is: Field['is'],
): Promise<JsonValue | undefined> {
  const name = path.split('.').at(-1) ?? path;
  if (is === undefined) return typeof value === 'number' ? String(value) : value;
  if (is === 'toggle') return item.toggle(path);
  if (is === 'integer') return integer(item, name, value);
  if (is === 'time') return item.utcTime(name, value);
  if (is === 'custom') return customFieldsOf(item, path);
  if (is !== 'names') return numberOf(item, name, value, is);
  const names = namesParameter(item.context, path, item.index);
  return names.length > 0 ? names : undefined;
}

/** The number of a choice. An account adds choices, which only have a number. */
export const numberOf = (
  item: Pick<ServiceItem, 'error'>,
  name: string,
  value: JsonValue,
  numbers: ReadonlyMap<string, number>,
): number => numbers.get(asText(value).trim()) ?? integer(item, name, value);

function customFieldsOf(item: ServiceItem, path: string): JsonObject | undefined {
  const named = item.entries(`${path}.customField`).map(({ name = '', value = '' }) => [asText(name).trim(), value] as const);
  const filled = named.filter(([name]) => name !== '');
  return filled.length > 0 ? Object.fromEntries(filled) : undefined;
}

export const customFields: NodeProperty = list('customFields', 'Custom Fields', 'customField', [
  text('name', 'Name', 'Name of the field in the API, such as `cf_order`'),
  text('value', 'Value', 'Value of the field', { acceptsList: true }),
]);
