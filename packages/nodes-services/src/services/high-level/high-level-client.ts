import { type JsonObject, type JsonValue, type NodeProperty, ownProperty } from '@sluice/node-sdk';
import { list, text } from '@sluice/nodes-base/node-tools';
import { type ApiAccess, ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { asText, locatedValue, objectOf, textOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://marketplace.gohighlevel.com/docs/ */
export const highLevelClient = new ApiClient({
  service: 'HighLevel',
  credentialType: 'highLevelOAuth2Api',
  baseUrl: 'https://services.leadconnectorhq.com',
  headers: { version: '2021-07-28' },
  refusalOf({ body }) {
    const { message, error } = objectOf(body);
    const [first] = [message ?? error ?? ''].flat();
    return textOf(first) === '' ? {} : { text: textOf(first) };
  },
});

/** The location (sub-account) that the account of the credential chose. */
export async function locationOf(access: ApiAccess): Promise<string> {
  const data = await access.credentials('highLevelOAuth2Api');
  return textOf(objectOf(ownProperty(data, 'oauthTokenData'))['locationId']);
}

/** Maximum number of elements per page of a list. */
const pageSize = 100;

const pagesOf = (list: string): Paging => ({
  list,
  next({ body }) {
    const { nextPageUrl, startAfter, startAfterId } = objectOf(objectOf(body)['meta']);
    return textOf(nextPageUrl) === '' || startAfterId === undefined ? undefined : { query: { startAfter, startAfterId } };
  },
});

export const listProperties = listPropertiesOf();

/** Requests a list, limited by the parameters `returnAll` and `limit`. */
export function listed(item: ServiceItem, path: string, query: ApiRequest['query'], list: string): Promise<JsonObject[]> {
  const limit = item.limit();
  return item.list({ path, query: { ...query, limit: Math.min(limit, pageSize) } }, pagesOf(list), limit);
}

/** Sends a request; resolves to the member of its response. */
export async function sendFor(item: ServiceItem, request: ApiRequest, member: string): Promise<JsonValue> {
  return objectOf(await item.send(request))[member] ?? {};
}

export const id = (name: string, displayName: string, description: string): NodeProperty =>
  text(name, displayName, description, { required: true });

export const contactId = id('contactId', 'Contact Email or ID', 'Email address or ID of the contact');

export const encoded = (item: ServiceItem, parameter: string): string => encodeURIComponent(item.id(parameter).trim());

/** ID of the contact, which may be named by its email address. */
export async function contactIdOf(item: ServiceItem): Promise<string> {
  const written = item.id('contactId').trim();
  if (!written.includes('@')) return written;
  const query = { locationId: await locationOf(item.access), query: written };
  const contacts = await item.list({ path: '/contacts/', query: { ...query, limit: pageSize } }, pagesOf('contacts'), pageSize);
  const contact = contacts.find(({ email }) => textOf(email).toLowerCase() === written.toLowerCase());
  if (contact) return textOf(contact['id']);
  throw item.error('no contact has this email address', 'Check the address, or use the ID of the contact');
}

export const customFields: NodeProperty = list('customFields', 'Custom Fields', 'values', [
  text('fieldId', 'Field Name or ID', 'ID of the field'),
  text('fieldValue', 'Value', 'Value of the field', { acceptsList: true }),
]);

/** Custom fields in a collection, as a member of a record. */
export function customFieldsIn(item: ServiceItem, path: string): { customFields?: JsonValue } {
  const values = item
    .entries(`${path}.customFields.values`)
    .map(({ fieldId, fieldValue = '' }) => ({ id: asText(locatedValue(fieldId) ?? '').trim(), field_value: fieldValue }))
    .filter(({ id: field }) => field !== '');
  return values.length > 0 ? { customFields: values } : {};
}

/** A time as UTC. Text without an offset is in the workflow's time zone. */
export async function timeMember(item: ServiceItem, name: string, value: JsonValue | undefined): Promise<JsonObject> {
  if (value === undefined || value === '' || value === null) return {};
  return { [name]: await item.utcTime(name, value) };
}
