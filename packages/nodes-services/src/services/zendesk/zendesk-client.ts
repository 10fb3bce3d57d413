import { isJsonObject, type JsonObject, type JsonValue, type NodeProperty, optionalCredentialText } from '@sluice/node-sdk';
import { list, text } from '@sluice/nodes-base/node-tools';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { asText, objectOf, textOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developer.zendesk.com/api-reference/ticketing/introduction/ */
export const zendeskClient = new ApiClient({
  service: 'Zendesk',
  credentialType: ({ parameter }) =>
    parameter<string>('authentication', 'apiToken') === 'oAuth2' ? 'zendeskOAuth2Api' : 'zendeskApi',
  baseUrl: (credential) => `https://${optionalCredentialText(credential, 'subdomain').trim()}.zendesk.com/api/v2`,
  refusalOf({ body }) {
    const { error, description, details } = objectOf(body);
    const [field] = Object.entries(objectOf(details));
    const [first] = [field?.[1] ?? []].flat();
    const detail = field && isJsonObject(first) ? `${field[0]}: ${textOf(first['description'])}` : '';
    const text = [textOf(description), detail].filter((one) => one !== '').join('; ');
    return { ...(typeof error === 'string' && { code: error }), ...(text !== '' && { text }) };
  },
});

/** Maximum number of elements per page of a list. */
const pageSize = 100;

/**
 * https://developer.zendesk.com/api-reference/introduction/pagination/; offsets end after 10,000
 * elements.
 */
const byCursor = (name: string): Paging => ({
  list: name,
  next({ body }) {
    const { meta, links } = objectOf(body);
    const next = textOf(objectOf(links)['next']);
    return objectOf(meta)['has_more'] === true && next !== '' ? { path: next } : undefined;
  },
});

/** Searches do not support cursors. */
const byOffset = (name: string): Paging => ({
  list: name,
  next({ body }) {
    const next = textOf(objectOf(body)['next_page']);
    return next === '' ? undefined : { path: next };
  },
});

/** A list; default limit: the parameters `returnAll` and `limit`. */
export function listed(item: ServiceItem, request: ApiRequest, name: string, limit = item.limit(100)): Promise<JsonObject[]> {
  const query = { ...request.query, 'page[size]': Math.min(limit, pageSize) };
  return item.list({ ...request, query }, byCursor(name), limit);
}

/** Search results, limited by the parameters `returnAll` and `limit`. */
export function found(item: ServiceItem, request: ApiRequest, name: string): Promise<JsonObject[]> {
  const limit = item.limit(100);
  return item.list({ ...request, query: { ...request.query, per_page: Math.min(limit, pageSize) } }, byOffset(name), limit);
}

/** Sends a request; resolves to the member of its response. */
export async function sendFor(item: ServiceItem, request: ApiRequest, member: string): Promise<JsonValue> {
  return objectOf(await item.send(request))[member] ?? {};
}

export const listProperties = listPropertiesOf(100);

export const pathOf = (item: ServiceItem, kind: string, more = ''): string =>
  `/${kind}/${encodeURIComponent(item.id('id'))}${more}`;

export const id = (noun: string): NodeProperty =>
  text('id', `${noun} ID`, `ID of the ${noun.toLowerCase()}`, { required: true });

/** A list of names and values. */
export const pairs = (name: string, displayName: string, group: string, key: string): NodeProperty =>
  list(name, displayName, group, [
    text(key, 'Field', 'The field'),
    text('value', 'Value', 'Value of the field', { acceptsList: true }),
  ]);

/** Values of `pairs`, as an object. */
export function pairsIn(item: ServiceItem, path: string, key: string): JsonObject {
  return Object.fromEntries(item.entries(path).map(({ [key]: name = '', value = null }) => [asText(name), value]));
}
