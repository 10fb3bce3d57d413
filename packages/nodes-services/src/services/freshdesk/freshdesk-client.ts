import { type JsonObject, type JsonValue, type NodeProperty, optionalCredentialText } from '@sluice/node-sdk';
import { list, namesParameter, text } from '@sluice/nodes-base/node-tools';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { linkPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developers.freshdesk.com/api/ */
export const freshdeskClient = new ApiClient({
  service: 'Freshdesk',
  credentialType: 'freshdeskApi',
  baseUrl: (credential) => `https://${optionalCredentialText(credential, 'domain').trim()}.freshdesk.com/api/v2`,
  refusalOf({ body }) {
    const { code, message, description, errors } = objectOf(body);
    const problems = objectsOf(errors).map((one) => `${textOf(one['field'])}: ${textOf(one['message'])}`);
    const words = [textOf(description ?? message), ...problems].filter((one) => one !== '');
    return { ...(typeof code === 'string' && { code }), ...(words.length > 0 && { text: words.join('; ') }) };
  },
});

/** Maximum number of elements per page of a list. */
const pageSize = 100;

/** Requests a list, limited by the parameters `returnAll` and `limit`. */
export function listed(item: ServiceItem, path: string, query: ApiRequest['query']): Promise<JsonObject[]> {
  const limit = item.limit();
  return item.list({ path, query: { ...query, per_page: Math.min(limit, pageSize) } }, linkPaging(''), limit);
}

/** Values of the fields that an agency defined, by name: `cf_order`. */
export const customFields: NodeProperty = list('custom_fields', 'Custom Fields', 'field', [
  text('name', 'Name', 'Name of the field in the API, such as `cf_order`'),
  text('value', 'Value', 'Value of the field', { acceptsAnyValue: true }),
]);

/** Members of a collection that are neither numbers, booleans, nor text. */
interface Kinds {
  lists: readonly string[];
  times?: readonly string[];
}

/** The filled members of a collection of API attributes, as the body of a request. */
export async function attributesOf(
  item: ServiceItem,
  path: string,
  properties: readonly NodeProperty[],
  { lists, times = [] }: Kinds,
): Promise<JsonObject> {
  const { custom_fields: _, ...attributes } = item.typedFields(path, properties);
  for (const name of lists.filter((one) => one in attributes))
    attributes[name] = namesParameter(item.context, `${path}.${name}`, item.index);
  for (const name of times.filter((one) => one in attributes))
    attributes[name] = await item.utcTime(name, attributes[name] as JsonValue);
  const custom = item
    .entries(`${path}.custom_fields.field`)
    .map(({ name, value = null }): [string, JsonValue] => [asText(name), value]);
  return { ...attributes, ...(custom.length > 0 && { custom_fields: Object.fromEntries(custom) }) };
}
