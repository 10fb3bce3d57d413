import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates an incident for each item.',
  needs:
    'a ServiceNow instance, and a user with the roles of the tables, such as `itil`, by name and password, or by OAuth2 with an endpoint of the application registry',
  notes:
    'Uses the Table API and the Attachment API. The subdomain of the credential is that of `<subdomain>.service-now.com`. Filters are encoded queries, which a list in ServiceNow shows by "Copy query". A record that the user may not see is missing in a list. A list of more than 1,000 records without an order is by `sys_id`. References are set by `sys_id`, or by the name of the record.',
  parameters: {
    authentication: 'basicAuth',
    resource: 'incident',
    operation: 'create',
    short_description: '={{ $json.title }}',
    additionalFields: { urgency: '2', caller_id: '={{ $json.caller }}' },
  },
  inputs: [[{ title: 'Mail is down', caller: 'Ada Lovelace' }]],
  outputs: [[{ sys_id: 's1', number: 'INC0010001' }]],
};
