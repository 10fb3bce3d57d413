import { choice, choices, collection, number, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { change, listed, pathOf, remove } from './stripe-client.ts';
import { customerId, id, listProperties, membersOf, metadata } from './stripe-properties.ts';

const invoiceId = id('invoiceId', 'Invoice ID', 'ID of the invoice, such as `in_…`');
const fields = [
  toggle('auto_advance', 'Auto Advance', 'Whether Stripe finalizes and collects the invoice by itself'),
  choice(
    'collection_method',
    'Collection Method',
    choices(['charge_automatically', 'Charge Automatically'], ['send_invoice', 'Send Invoice']),
  ),
  number('days_until_due', 'Days Until Due', 30, 'Days until the customer has to pay, if the invoice is sent'),
  text('description', 'Description', 'Text on the invoice'),
  text('footer', 'Footer', 'Text below the invoice'),
  metadata,
];
const statuses = choices(
  ['draft', 'Draft'],
  ['open', 'Open'],
  ['paid', 'Paid'],
  ['uncollectible', 'Uncollectible'],
  ['void', 'Void'],
);

const step = (displayName: string, description: string, path: string): Operation => ({
  displayName,
  description,
  properties: [invoiceId],
  run: (item) => change(item, pathOf(item, 'invoices', 'invoiceId', path)),
});

/** https://docs.stripe.com/api/invoices */
export const invoice: Resource = {
  displayName: 'Invoice',
  initial: 'get',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a draft with the pending invoice items of a customer',
      properties: [
        customerId,
        collection('additionalFields', 'Additional Fields', [
          text('currency', 'Currency', 'Three letters of the currency'),
          text('subscription', 'Subscription ID', 'ID of the subscription to bill'),
          ...fields,
        ]),
      ],
      run: (item) =>
        change(item, '/invoices', { customer: item.required('customerId'), ...membersOf(item, 'additionalFields') }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a draft',
      properties: [invoiceId],
      run: (item) => remove(item, pathOf(item, 'invoices', 'invoiceId')),
    },
    finalize: step('Finalize', 'Finalizes a draft', '/finalize'),
    get: {
      displayName: 'Get',
      description: 'Gets an invoice',
      properties: [invoiceId],
      run: (item) => item.send({ path: pathOf(item, 'invoices', 'invoiceId') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists invoices, the newest first',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [
          text('customer', 'Customer ID', 'Only invoices of this customer'),
          choice('status', 'Status', statuses),
          text('subscription', 'Subscription ID', 'Only invoices of this subscription'),
        ]),
      ],
      run: (item) => listed(item, '/invoices', item.fields('filters')),
    },
    pay: step('Pay', 'Collects the payment of an invoice', '/pay'),
    send: step('Send', 'Sends an invoice to the customer by email', '/send'),
    update: {
      displayName: 'Update',
      description: 'Changes an invoice',
      properties: [invoiceId, collection('updateFields', 'Update Fields', fields)],
      run: (item) => change(item, pathOf(item, 'invoices', 'invoiceId'), membersOf(item, 'updateFields')),
    },
    void: step('Void', 'Voids a finalized invoice', '/void'),
  },
};
