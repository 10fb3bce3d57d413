import { collection, text } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { change, listed, pathOf, remove } from './stripe-client.ts';
import { address, customerId, id, listProperties, membersOf, metadata, shipping } from './stripe-properties.ts';

const name = text('name', 'Name', 'Full name of the customer');
const fields = [
  address,
  text('description', 'Description', 'Text about the customer'),
  text('email', 'Email', 'Email address of the customer'),
  metadata,
  text('phone', 'Phone', 'Phone number of the customer'),
  shipping,
];

const getAll: Operation = {
  displayName: 'Get Many',
  description: 'Lists customers',
  properties: [
    ...listProperties,
    collection('filters', 'Filters', [text('email', 'Email', 'Only customers with this email address')]),
  ],
  run: (item) => listed(item, '/customers', item.fields('filters')),
};

/** https://docs.stripe.com/api/customers */
export const customer: Resource = {
  displayName: 'Customer',
  initial: 'get',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a customer',
      properties: [{ ...name, required: true }, collection('additionalFields', 'Additional Fields', fields)],
      run: (item) => change(item, '/customers', { name: item.required('name'), ...membersOf(item, 'additionalFields') }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a customer, and cancels the subscriptions of the customer',
      properties: [customerId],
      run: (item) => remove(item, pathOf(item, 'customers', 'customerId')),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a customer',
      properties: [customerId],
      run: (item) => item.send({ path: pathOf(item, 'customers', 'customerId') }),
    },
    getAll,
    list: { ...getAll, displayName: 'List', description: 'Another name for Get Many' },
    update: {
      displayName: 'Update',
      description: 'Changes a customer',
      properties: [customerId, collection('updateFields', 'Update Fields', [name, ...fields])],
      run: (item) => change(item, pathOf(item, 'customers', 'customerId'), membersOf(item, 'updateFields')),
    },
  },
};

const cardId = id('cardId', 'Card ID', 'ID of the card, such as `card_…`');
const sourceId = id('sourceId', 'Source ID', 'ID of the card or source');

/** https://docs.stripe.com/api/cards */
export const customerCard: Resource = {
  displayName: 'Customer Card',
  initial: 'get',
  operations: {
    add: {
      displayName: 'Add',
      description: 'Adds a card to a customer',
      properties: [customerId, id('token', 'Card Token', 'Token of the card, such as `tok_…`')],
      run: (item) => change(item, pathOf(item, 'customers', 'customerId', '/sources'), { source: item.required('token') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a card of a customer',
      properties: [customerId, sourceId],
      run: (item) => item.send({ path: pathOf(item, 'customers', 'customerId', pathOf(item, 'sources', 'sourceId')) }),
    },
    remove: {
      displayName: 'Remove',
      description: 'Removes a card of a customer',
      properties: [customerId, cardId],
      run: (item) => remove(item, pathOf(item, 'customers', 'customerId', pathOf(item, 'sources', 'cardId'))),
    },
  },
};
