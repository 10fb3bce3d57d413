import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { list, text } from '@sluice/nodes-base/node-tools';
import { asText, objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import type { Fields } from './stripe-form.ts';

export const listProperties = listPropertiesOf();

export const id = (name: string, displayName: string, description: string): NodeProperty =>
  text(name, displayName, description, { required: true });

export const customerId = id('customerId', 'Customer ID', 'ID of the customer, such as `cus_…`');

export const currency = text('currency', 'Currency', 'Three letters of the currency, such as `eur`', { required: true });

const once = { typeOptions: { multipleValues: false } };

export const address = list(
  'address',
  'Address',
  'details',
  [
    text('line1', 'Line 1', 'Street or company'),
    text('line2', 'Line 2', 'Apartment or building'),
    text('city', 'City', 'City'),
    text('state', 'State', 'State or province'),
    text('country', 'Country', 'Two letters of the country'),
    text('postal_code', 'Postal Code', 'Postal code'),
  ],
  once,
);

export const metadata = list('metadata', 'Metadata', 'metadataProperties', [
  text('key', 'Key', 'Name of the value'),
  text('value', 'Value', 'The value'),
]);

export const shipping = list(
  'shipping',
  'Shipping',
  'shippingProperties',
  [
    address,
    text('name', 'Recipient Name', 'Name of the recipient'),
    text('phone', 'Recipient Phone', 'Phone number of the recipient'),
  ],
  once,
);

/** A collection's members, with address, metadata, and shipping in Stripe format. */
export function membersOf(item: ServiceItem, path: string): Fields {
  const [home] = item.entries(`${path}.address.details`);
  const [parcel] = item.entries(`${path}.shipping.shippingProperties`);
  return {
    ...item.fields(path),
    address: home,
    metadata: metadataOf(item.entries(`${path}.metadata.metadataProperties`)),
    shipping: parcel && { ...parcel, address: objectOf(parcel['address'])['details'] ?? null },
  };
}

function metadataOf(entries: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(entries.map(({ key = '', value = null }) => [asText(key), value]));
}
