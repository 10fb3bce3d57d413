import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates an invoice for each item.',
  needs: 'an app at developer.intuit.com, and a connected company with a customer and an item',
  notes: [
    'Setup: create an app at [developer.intuit.com](https://developer.intuit.com) with the scope `com.intuit.quickbooks.accounting`, add the redirect URL',
    'of the credential under **Keys & credentials**, and store client ID and secret in the credential. You select the company when you connect it.',
    'Development keys work only with the environment **Sandbox**.',
    '',
    'Updates and deletions first read the object, because QuickBooks requires its latest version. `filters.query` of Get Many is the part of a query',
    "after the name of the object: `WHERE DisplayName LIKE 'A%'`.",
    '',
    'QuickBooks limits: 500 requests per minute for a company, 10 at once, 1,000 objects per response. After more, the node waits.',
  ].join('\n'),
  parameters: {
    resource: 'invoice',
    operation: 'create',
    CustomerRef: '={{ $json.customerId }}',
    Line: [
      {
        DetailType: 'SalesItemLineDetail',
        itemId: '1',
        Amount: '={{ $json.amount }}',
        Description: 'Work',
        TaxCodeRef: 'NON',
      },
    ],
    additionalFields: { BillEmail: 'ada@example.com', DueDate: '2026-02-01T00:00:00.000Z' },
  },
  inputs: [[{ customerId: '7', amount: 120 }]],
  outputs: [[{ Id: '9', SyncToken: '0' }]],
};
