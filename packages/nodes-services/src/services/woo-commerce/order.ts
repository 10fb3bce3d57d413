import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, collection, list, number, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { apiFields, queryOf } from './field-values.ts';
import { listed, listProperties, metadata, nestedMetadata, ownMetadata, pathOf } from './woo-commerce-client.ts';

/** Plugins add further statuses. */
const status = (fallback: string) =>
  text('status', 'Status', 'Status, such as `pending`, `processing`, `on-hold`, `completed`, `cancelled`, or `refunded`', {
    default: fallback,
  });
const written: readonly NodeProperty[] = [
  text('currency', 'Currency', 'Currency of the order, such as `EUR`'),
  text('customerId', 'Customer ID', 'ID of the customer; 0 is a guest'),
  text('customerNote', 'Customer Note', 'Note of the customer'),
  text('parentId', 'Parent ID', 'ID of the parent order'),
  text('paymentMethodId', 'Payment Method ID', 'ID of the payment method, such as `bacs`'),
  text('paymentMethodTitle', 'Payment Method Title', 'Title of the payment method'),
  toggle('setPaid', 'Set Paid', 'Whether the order is paid; this reduces the stock'),
  status('pending'),
  text('transactionID', 'Transaction ID', 'ID of the payment'),
];
const place: readonly NodeProperty[] = [
  text('address_1', 'Address Line 1', 'Street and number'),
  text('address_2', 'Address Line 2', 'Second line'),
  text('city', 'City', 'City'),
  text('company', 'Company', 'Company'),
  text('country', 'Country', 'Code of the country, such as `DE`'),
  text('firstName', 'First Name', 'First name'),
  text('lastName', 'Last Name', 'Last name'),
  text('phone', 'Phone', 'Phone number'),
  text('postalCode', 'Postal Code', 'Postal code'),
  text('state', 'State', 'Code of the state or region'),
];
const total = text('total', 'Total', 'Total after discounts, such as `10.00`');
const taxClass = text('taxClass', 'Tax Class', 'Slug of the tax class');

/** Kinds of lines: parameter → API name, and the parameters of a line. */
const lines: readonly { name: string; displayName: string; api: string; values: readonly NodeProperty[] }[] = [
  {
    name: 'couponLines',
    displayName: 'Coupons',
    api: 'coupon_lines',
    values: [text('code', 'Code', 'Code of the coupon'), metadata],
  },
  {
    name: 'feeLines',
    displayName: 'Fees',
    api: 'fee_lines',
    values: [
      text('name', 'Name', 'Name of the fee'),
      taxClass,
      choice('taxStatus', 'Tax Status', choices(['taxable', 'Taxable'], ['none', 'None'])),
      total,
      metadata,
    ],
  },
  {
    name: 'lineItems',
    displayName: 'Line Items',
    api: 'line_items',
    values: [
      text('name', 'Name', 'Name of the product'),
      text('productId', 'Product ID', 'ID of the product'),
      text('variationId', 'Variation ID', 'ID of the variation'),
      atLeast(0, number('quantity', 'Quantity', 1, 'Number of items')),
      taxClass,
      text('subtotal', 'Subtotal', 'Total before discounts'),
      total,
      metadata,
    ],
  },
  {
    name: 'shippingLines',
    displayName: 'Shipping',
    api: 'shipping_lines',
    values: [
      text('methodTitle', 'Method Title', 'Title of the shipping method'),
      text('method ID', 'Method ID', 'ID of the shipping method, such as `flat_rate`'),
      total,
      metadata,
    ],
  },
];
const single = { typeOptions: {} };
const parts: readonly NodeProperty[] = [
  list('billingUi', 'Billing', 'billingValues', [...place, text('email', 'Email', 'Email address')], single),
  list('shippingUi', 'Shipping Address', 'shippingValues', place, single),
  ...lines.map(({ name, displayName, values }) => list(`${name}Ui`, displayName, `${name}Values`, values)),
  metadata,
];
const orderId = text('orderId', 'Order ID', 'ID of the order', { required: true });

/** https://woocommerce.github.io/woocommerce-rest-api-docs/#orders */
export const order: Resource = {
  displayName: 'Order',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates an order',
      properties: [collection('additionalFields', 'Additional Fields', written), ...parts],
      run: async (item) => item.send({ path: '/orders', json: await orderOf(item, 'additionalFields') }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Moves an order to the trash',
      properties: [orderId],
      run: (item) => item.send({ method: 'DELETE', path: pathOf(item, 'orders', 'orderId') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets an order',
      properties: [orderId],
      run: (item) => item.send({ path: pathOf(item, 'orders', 'orderId') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists orders, the newest first',
      properties: [
        ...listProperties,
        options([
          text('after', 'After', 'Only orders created after this time', { type: 'dateTime' }),
          text('before', 'Before', 'Only orders created before this time', { type: 'dateTime' }),
          text('customer', 'Customer', 'ID of the customer'),
          atLeast(0, number('decimalPoints', 'Decimal Points', 2, 'Number of decimal places of prices')),
          choice('order', 'Order', choices(['asc', 'Ascending'], ['desc', 'Descending']), { default: 'desc' }),
          choice(
            'orderBy',
            'Order By',
            choices(
              ['date', 'Date'],
              ['id', 'ID'],
              ['include', 'Include'],
              ['modified', 'Modified'],
              ['slug', 'Slug'],
              ['title', 'Title'],
            ),
          ),
          text('product', 'Product', 'ID of a product in the order'),
          text('search', 'Search', 'Text that the order contains'),
          status('any'),
        ]),
      ],
      run: async (item) => listed(item, '/orders', await queryOf(item, 'options')),
    },
    update: {
      displayName: 'Update',
      description: 'Changes an order; lines are added to those that it has',
      properties: [orderId, collection('updateFields', 'Update Fields', written), ...parts],
      run: async (item) => {
        const json = await orderOf(item, 'updateFields');
        return item.send({ method: 'PUT', path: pathOf(item, 'orders', 'orderId'), json });
      },
    },
  },
};

async function orderOf(item: ServiceItem, path: string): Promise<JsonObject> {
  const order = await apiFields(item, item.fields(path));
  for (const kind of ['billing', 'shipping']) {
    const [address] = item.entries(`${kind}Ui.${kind}Values`);
    if (address) order[kind] = await apiFields(item, address);
  }
  for (const { name, api } of lines) {
    const entries: JsonObject[] = [];
    for (const entry of item.entries(`${name}Ui.${name}Values`)) entries.push(await lineOf(item, entry));
    if (entries.length > 0) order[api] = entries;
  }
  return { ...order, ...ownMetadata(item) };
}

async function lineOf(item: ServiceItem, entry: JsonObject): Promise<JsonObject> {
  const { metadataUi: _, ...fields } = entry;
  return { ...(await apiFields(item, fields)), ...nestedMetadata(entry) };
}
