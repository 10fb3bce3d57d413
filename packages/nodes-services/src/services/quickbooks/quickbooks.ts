import type { JsonObject, MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { textOf } from '../../shared/json-values.ts';
import { sendAll } from '../../shared/paging.ts';
import { resources } from './entities.ts';
import { queryOf, queryPages, quickbooksClient } from './quickbooks-client.ts';
import { transaction } from './transaction.ts';

export const quickbooks = defineService({
  displayName: 'QuickBooks Online',
  name: 'quickbooks',
  version: 1,
  description: 'Reads and writes customers, invoices, payments, and other objects in QuickBooks Online',
  credentials: [{ name: 'quickBooksOAuth2Api', required: true }],
  icon: 'fa:book',
  iconColor: 'green',
  client: quickbooksClient,
  resources: { ...resources, transaction },
  initial: 'customer',
  methods: {
    loadOptions: {
      getAccounts: optionsOf('Account'),
      getCustomers: optionsOf('Customer', 'DisplayName'),
      getDepartments: optionsOf('Department'),
      getItems: optionsOf('Item'),
      getPaymentMethods: optionsOf('PaymentMethod'),
      getTaxCodeRefs: optionsOf('TaxCode'),
      getTerms: optionsOf('Term'),
      getVendors: optionsOf('Vendor', 'DisplayName'),
    },
  },
});

/** Maximum number of choices in an editor. */
const maxOptions = 5_000;

function optionsOf(entity: string, label = 'Name') {
  return async (context: MethodContext): Promise<NodePropertyOption[]> => {
    const query = { query: queryOf(entity, '', 1, maxOptions) };
    const records = await sendAll(
      quickbooksClient,
      context,
      { path: '/query', query },
      queryPages(entity, '', maxOptions),
      maxOptions,
    );
    return records.map((one: JsonObject) => ({ name: textOf(one[label]), value: textOf(one['Id']) }));
  };
}
