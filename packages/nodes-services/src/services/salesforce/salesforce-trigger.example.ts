import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each new lead.',
  needs: 'a Salesforce account, connected by OAuth2, that may read the objects and their fields',
  notes:
    'A poll reads at most 200 records, and the next poll continues after them. An item has all fields that the account may read. Creating a record is not an update.',
  parameters: { triggerOn: 'leadCreated' },
  outputs: [
    [
      {
        Id: '00Q2',
        Company: 'Acme',
        CreatedDate: '2026-01-02T00:00:00.000+0000',
        LastModifiedDate: '2026-01-02T00:00:00.000+0000',
      },
    ],
  ],
};
