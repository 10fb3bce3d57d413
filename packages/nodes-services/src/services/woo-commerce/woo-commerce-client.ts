import { type JsonObject, type JsonValue, type NodeProperty, optionalCredentialText } from '@sluice/node-sdk';
import { list, text, withoutFinalSlashes } from '@sluice/nodes-base/node-tools';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://woocommerce.github.io/woocommerce-rest-api-docs/ */
export const wooCommerceClient = new ApiClient({
  service: 'WooCommerce',
  credentialType: 'wooCommerceApi',
  baseUrl: (credential) => `${withoutFinalSlashes(optionalCredentialText(credential, 'url').trim())}/wp-json/wc/v3`,
  refusalOf({ body }) {
    const code = textOf(objectOf(body)['code']);
    return code === '' ? {} : { code };
  },
});

/** Maximum number of elements per page of a list. */
export const pageSize = 100;

/** Pages are numbered, and a header contains the last page number. */
export const pages: Paging = {
  list: '',
  next: ({ headers }, _, page) => (page < Number(headers['x-wp-totalpages']) ? { query: { page: page + 1 } } : undefined),
};

export const listProperties = listPropertiesOf();

/**
 * Requests a list, limited by the parameters `returnAll` and `limit`. By default, shops sort by
 * times or names, which are not unique, so elements are missing in the pages of a list, or in
 * several: https://github.com/woocommerce/woocommerce/issues/33386
 */
export function listed(item: ServiceItem, path: string, query: ApiRequest['query']): Promise<JsonObject[]> {
  const limit = item.limit();
  const order = limit > pageSize ? { orderby: 'id' } : {};
  return item.list({ path, query: { ...order, ...query, per_page: Math.min(limit, pageSize) } }, pages, limit);
}

export const pathOf = (item: ServiceItem, kind: string, parameter: string): string =>
  `/${kind}/${encodeURIComponent(item.id(parameter).trim())}`;

const metadataValues = [text('key', 'Key', 'Name of the value'), text('value', 'Value', 'The value', { acceptsList: true })];

/** Values that plugins and authors add to an object. */
export const metadata: NodeProperty = list('metadataUi', 'Metadata', 'metadataValues', metadataValues);

/** Metadata of a customer, which has other names. */
export const customerMetadata: NodeProperty = list('meta_data', 'Metadata', 'meta_data_fields', metadataValues);

/** Entries of a metadata list, as a member of an object. */
export function metadataIn(entries: readonly JsonObject[]): { meta_data?: JsonValue } {
  const values = entries.filter(({ key = '' }) => key !== '').map(({ key = '', value = '' }) => ({ key: asText(key), value }));
  return values.length > 0 ? { meta_data: values } : {};
}

export const ownMetadata = (item: ServiceItem): { meta_data?: JsonValue } =>
  metadataIn(item.entries('metadataUi.metadataValues'));

export const nestedMetadata = (entry: JsonObject): { meta_data?: JsonValue } =>
  metadataIn(objectsOf(objectOf(entry['metadataUi'])['metadataValues']));
