import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a contact for each item.',
  needs:
    'an Odoo database with the external API (on Odoo Online, the plan Custom), the email address of a user, and an API key (Preferences → Account Security → New API Key)',
  notes:
    'Uses JSON-RPC. The user signs in once per run. The database defaults to the first part of the host name. Text becomes a number, a boolean, or a list if the field has such a type. "Custom Resource" is any model, by its technical name (Settings → Technical → Models). Notes exist until Odoo 16; opportunities require the app CRM. Lists of all records are read 100 at a time; choose fields if records contain images.',
  parameters: {
    contactName: '={{ $json.name }}',
    additionalFields: { email: '={{ $json.email }}', address: { value: { city: 'Rome' } } },
  },
  inputs: [[{ name: 'Ada Lovelace', email: 'ada@example.com' }]],
  outputs: [[{ id: 42 }]],
};
