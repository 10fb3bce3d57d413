import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a contact, or changes the contact with the email address.',
  needs:
    'a private app of HubSpot (Settings → Integrations → Private Apps) with the scopes `crm.objects.contacts.read` and `crm.objects.contacts.write`, and its token in a credential of the type "HubSpot App Token"',
  notes:
    'Companies, deals, and tickets need the scopes of their names, such as `crm.objects.deals.write`; engagements need `sales-email-read` to read emails; lists need `crm.lists.read` and `crm.lists.write`. HubSpot has switched off API keys; use an app token or OAuth2. Accounts may send about 100 requests per 10 seconds; after more, the node waits. Results are in the format of the legacy APIs, which imported workflows read; searches are in version 3 format.',
  parameters: {
    authentication: 'appToken',
    email: '={{ $json.email }}',
    additionalFields: { firstName: '={{ $json.name }}', companyName: 'Acme' },
    options: {},
  },
  inputs: [[{ email: 'ada@a.test', name: 'Ada' }]],
  outputs: [[{ vid: 51, properties: { firstname: { value: 'Ada' } }, isNew: true }]],
};
