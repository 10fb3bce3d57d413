import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import {
  atLeast,
  choice,
  choices,
  collection,
  list,
  names,
  number,
  options,
  text,
  toggle,
} from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { joined, listed, listProperties, pathOf, queryOf, sendFor, snakeFields } from './shopify-client.ts';

const once = { typeOptions: { multipleValues: false } };

const addressFields: readonly NodeProperty[] = [
  text('firstName', 'First Name', 'First name'),
  text('lastName', 'Last Name', 'Last name'),
  text('company', 'Company', 'Company'),
  text('address1', 'Address Line 1', 'Street'),
  text('address2', 'Address Line 2', 'Apartment or building'),
  text('city', 'City', 'City'),
  text('province', 'Province', 'State or province'),
  text('country', 'Country', 'Country'),
  text('zip', 'ZIP Code', 'Postal code'),
  text('phone', 'Phone', 'Phone number'),
];
const address = (kind: 'billing' | 'shipping', displayName: string) =>
  list(`${kind}AddressUi`, displayName, `${kind}AddressValues`, addressFields, once);

const location: NodeProperty = {
  displayName: 'Location',
  name: 'locationId',
  type: 'options',
  default: '',
  typeOptions: { loadOptionsMethod: 'getLocations' },
  description: 'Where the order was made: from the list, or by ID',
};
const written: readonly NodeProperty[] = [
  text('email', 'Email', 'Email address of the customer'),
  text('note', 'Note', 'Note about the order'),
  address('shipping', 'Shipping Address'),
  text('sourceName', 'Source Name', 'Where the order comes from, such as `web`'),
  names('tags', 'Tags', 'Tags of the order'),
];
const created: readonly NodeProperty[] = [
  ...written,
  address('billing', 'Billing Address'),
  list('discountCodesUi', 'Discount Codes', 'discountCodesValues', [
    text('amount', 'Amount', 'Amount or percentage that is taken off'),
    text('code', 'Code', 'The code'),
    choice('type', 'Type', choices(['fixedAmount', 'Fixed Amount'], ['percentage', 'Percentage'], ['shipping', 'Shipping'])),
  ]),
  choice(
    'fulfillmentStatus',
    'Fulfillment Status',
    choices(['fulfilled', 'Fulfilled'], ['null', 'Unfulfilled'], ['partial', 'Partial'], ['restocked', 'Restocked']),
  ),
  choice(
    'inventoryBehaviour',
    'Inventory Behavior',
    choices(
      ['bypass', 'Do Not Claim Inventory'],
      ['decrementIgnoringPolicy', 'Claim, Ignoring the Policy'],
      ['decrementObeyingPolicy', 'Claim, Following the Policy'],
    ),
  ),
  location,
  toggle('sendFulfillmentReceipt', 'Send Fulfillment Receipt', 'Whether the customer receives a message about the shipment'),
  toggle('sendReceipt', 'Send Receipt', 'Whether the customer receives a confirmation'),
  toggle('test', 'Test', 'Whether this is a test order'),
];

const lineItems = list(
  'limeItemsUi',
  'Line Items',
  'lineItemValues',
  [
    {
      displayName: 'Product',
      name: 'productId',
      type: 'options',
      default: '',
      typeOptions: { loadOptionsMethod: 'getProducts' },
      description: 'The product: from the list, or by ID',
    },
    text('variantId', 'Variant ID', 'ID of the variant'),
    text('title', 'Title', 'Title of the line'),
    text('grams', 'Grams', 'Weight of one, in grams'),
    atLeast(1, number('quantity', 'Quantity', 1, 'Number of pieces')),
    text('price', 'Price', 'Price of one, in the currency of the shop'),
  ],
  { required: true },
);

const orderId = text('orderId', 'Order ID', 'ID of the order', { required: true });
const fieldsOption = names('fields', 'Fields', 'Names of the fields to return');
const financial = choices(
  ['any', 'Any'],
  ['authorized', 'Authorized'],
  ['pending', 'Pending'],
  ['paid', 'Paid'],
  ['partially_paid', 'Partially Paid'],
  ['partially_refunded', 'Partially Refunded'],
  ['refunded', 'Refunded'],
  ['unpaid', 'Unpaid'],
  ['voided', 'Voided'],
);
const fulfillment = choices(
  ['any', 'Any'],
  ['partial', 'Partial'],
  ['shipped', 'Shipped'],
  ['unfulfilled', 'Unfulfilled'],
  ['unshipped', 'Unshipped'],
);
const statuses = choices(['any', 'Any'], ['cancelled', 'Canceled'], ['closed', 'Closed'], ['open', 'Open']);

/** https://shopify.dev/docs/api/admin-rest/latest/resources/order */
export const order: Resource = {
  displayName: 'Order',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates an order',
      properties: [collection('additionalFields', 'Additional Fields', created), lineItems],
      run: (item) => {
        const lines = item.entries('limeItemsUi.lineItemValues').map(snakeFields);
        if (lines.length === 0) throw item.error('an order needs a line item', 'Add one to "Line Items"');
        const json = { order: { ...orderOf(item, 'additionalFields'), line_items: lines } };
        return sendFor(item, { path: '/orders.json', json }, 'order');
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes an order',
      properties: [orderId],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item, 'orders', 'orderId') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets an order',
      properties: [orderId, options([fieldsOption])],
      run: async (item) =>
        sendFor(item, { path: pathOf(item, 'orders', 'orderId'), query: await queryOf(item, 'options') }, 'order'),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists orders; without a status, only open orders',
      properties: [
        ...listProperties,
        options([
          text('attributionAppId', 'Attribution App ID', 'Only orders of this app; `current` is that of the credential'),
          text('createdAtMax', 'Created At Max', 'Only orders that were created before this time'),
          text('createdAtMin', 'Created At Min', 'Only orders that were created after this time'),
          choice('financialStatus', 'Financial Status', financial),
          choice('fulfillmentStatus', 'Fulfillment Status', fulfillment),
          fieldsOption,
          names('ids', 'IDs', 'Only orders with these IDs'),
          text('processedAtMax', 'Processed At Max', 'Only orders that were imported before this time'),
          text('processedAtMin', 'Processed At Min', 'Only orders that were imported after this time'),
          text('sinceId', 'Since ID', 'Only orders after this ID'),
          choice('status', 'Status', statuses, { default: 'open' }),
          text('updatedAtMax', 'Updated At Max', 'Only orders that changed before this time'),
          text('updatedAtMin', 'Updated At Min', 'Only orders that changed after this time'),
        ]),
      ],
      run: async (item) => listed(item, 'orders', await queryOf(item, 'options')),
    },
    update: {
      displayName: 'Update',
      description: 'Changes an order',
      properties: [orderId, collection('updateFields', 'Update Fields', [...written, { ...location, name: 'location_id' }])],
      run: (item) => {
        const json = { order: orderOf(item, 'updateFields') };
        return sendFor(item, { method: 'PUT', path: pathOf(item, 'orders', 'orderId'), json }, 'order');
      },
    },
  },
};

const ui = new Set(['billingAddressUi', 'discountCodesUi', 'shippingAddressUi']);

function orderOf(item: ServiceItem, path: string): JsonObject {
  const plain = Object.entries(item.fields(path)).filter(([name]) => !ui.has(name));
  const { inventory_behaviour: inventory, fulfillment_status: status, ...members } = snakeFields(Object.fromEntries(plain));
  const [billing] = item.entries(`${path}.billingAddressUi.billingAddressValues`);
  const [shipping] = item.entries(`${path}.shippingAddressUi.shippingAddressValues`);
  const discounts = item.entries(`${path}.discountCodesUi.discountCodesValues`).map(discountOf);
  return {
    ...Object.fromEntries(Object.entries(members).map(([name, value]) => [name, joined(value)])),
    ...(inventory !== undefined && { inventory_behaviour: underscored(inventory) }),
    ...(status !== undefined && { fulfillment_status: status === 'null' ? null : status }),
    ...(billing && { billing_address: snakeFields(billing) }),
    ...(shipping && { shipping_address: snakeFields(shipping) }),
    ...(discounts.length > 0 && { discount_codes: discounts }),
  };
}

const underscored = (value: JsonObject[string]): string =>
  asText(value)
    .slice(0, 100)
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function discountOf({ type, ...members }: JsonObject): JsonObject {
  return snakeFields({ ...members, type: underscored(type ?? 'fixedAmount') });
}
