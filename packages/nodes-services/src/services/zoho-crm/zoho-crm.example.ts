import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a contact for each item, or changes the contact with the email address.',
  needs: 'a Zoho CRM account, connected by OAuth2 with a client of the API console (type Server-based Applications)',
  notes:
    'Uses version 8 of the API. The credential names the data center, such as accounts.zoho.eu. A list returns 50 fields of each record: the first ones of the module, or those that are chosen. Fields have their API names (Setup → Developer Hub → APIs and SDKs → API Names). A field that refers to another record accepts its ID, or its name. Each request costs credits, which Zoho limits per 24 hours by edition and number of users.',
  parameters: {
    resource: 'contact',
    operation: 'upsert',
    lastName: '={{ $json.name }}',
    additionalFields: {
      Email: '={{ $json.email }}',
      Mailing_Address: { address_fields: { Mailing_City: 'Rome' } },
    },
  },
  inputs: [[{ name: 'Lovelace', email: 'ada@example.com' }]],
  outputs: [[{ id: '5001', Created_Time: '2026-01-31T12:00:00+01:00' }]],
};
