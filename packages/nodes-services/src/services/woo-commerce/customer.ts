import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { apiFields } from './field-values.ts';
import { customerMetadata, listed, listProperties, metadataIn, pathOf } from './woo-commerce-client.ts';

const place: readonly NodeProperty[] = [
  text('first_name', 'First Name', 'First name'),
  text('last_name', 'Last Name', 'Last name'),
  text('company', 'Company', 'Company'),
  text('address_1', 'Address 1', 'Street and number'),
  text('address_2', 'Address 2', 'Second line'),
  text('city', 'City', 'City'),
  text('state', 'State', 'Code of the state or region'),
  text('postcode', 'Postcode', 'Postal code'),
  text('country', 'Country', 'Code of the country, such as `DE`'),
  text('email', 'Email', 'Email address'),
  text('phone', 'Phone', 'Phone number'),
];
const written: readonly NodeProperty[] = [
  collection('billing', 'Billing Address', place),
  text('first_name', 'First Name', 'First name'),
  text('last_name', 'Last Name', 'Last name'),
  customerMetadata,
  text('password', 'Password', 'Password for the account in the shop', { typeOptions: { password: true } }),
  collection('shipping', 'Shipping Address', place),
];
const username = text('username', 'Username', 'Name for the account in the shop; it cannot be changed');
const customerId = text('customerId', 'Customer ID', 'ID of the customer', { required: true });

/** https://woocommerce.github.io/woocommerce-rest-api-docs/#customers */
export const customer: Resource = {
  displayName: 'Customer',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a customer',
      properties: [
        text('email', 'Email', 'Email address of the customer', { required: true }),
        collection('additionalFields', 'Additional Fields', [...written, username]),
      ],
      run: async (item) => {
        const json = { email: item.required('email'), ...(await customerOf(item, 'additionalFields')) };
        return item.send({ path: '/customers', json });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a customer for good: customers have no trash',
      properties: [customerId],
      run: (item) => item.send({ method: 'DELETE', path: pathOf(item, 'customers', 'customerId'), query: { force: true } }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a customer',
      properties: [customerId],
      run: (item) => item.send({ path: pathOf(item, 'customers', 'customerId') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists customers',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [
          text('email', 'Email', 'Email address of the customer'),
          choice('order', 'Order', choices(['asc', 'Ascending'], ['desc', 'Descending'])),
          choice(
            'orderby',
            'Order By',
            choices(['id', 'ID'], ['include', 'Include'], ['name', 'Name'], ['registered_date', 'Registered Date']),
          ),
          text('role', 'Role', 'Role of the account, such as `all` or `subscriber`', { default: 'customer' }),
          text('search', 'Search', 'Text that the customer contains'),
        ]),
      ],
      run: (item) => listed(item, '/customers', item.fields('filters')),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a customer',
      properties: [
        customerId,
        collection('updateFields', 'Update Fields', [text('email', 'Email', 'Email address of the customer'), ...written]),
      ],
      run: async (item) => {
        const json = await customerOf(item, 'updateFields');
        return item.send({ method: 'PUT', path: pathOf(item, 'customers', 'customerId'), json });
      },
    },
  },
};

async function customerOf(item: ServiceItem, path: string): Promise<JsonObject> {
  const { meta_data, billing, shipping, ...fields } = item.fields(path);
  return {
    ...(await apiFields(item, fields)),
    ...(billing !== undefined && { billing: await apiFields(item, objectOf(billing)) }),
    ...(shipping !== undefined && { shipping: await apiFields(item, objectOf(shipping)) }),
    ...metadataIn(objectsOf(objectOf(meta_data)['meta_data_fields'])),
  };
}
