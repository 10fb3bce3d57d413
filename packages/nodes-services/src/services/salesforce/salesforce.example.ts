import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a lead for each item.',
  needs: 'a Salesforce account, connected by OAuth2 with a connected app',
  notes:
    'Uses the REST API, version 62.0. A list has a few fields of each record unless others are chosen. Conditions are joined by AND. Salesforce limits the requests of an organization per 24 hours: at least 15,000 in most editions.',
  parameters: {
    company: '={{ $json.company }}',
    lastname: '={{ $json.name }}',
    additionalFields: {
      email: '={{ $json.email }}',
      customFieldsUi: { customFieldsValues: [{ fieldId: 'Region__c', value: 'EMEA' }] },
    },
  },
  inputs: [[{ company: 'Acme', name: 'Lovelace', email: 'ada@example.com' }]],
  outputs: [[{ id: '00Q1', success: true, errors: [] }]],
};
