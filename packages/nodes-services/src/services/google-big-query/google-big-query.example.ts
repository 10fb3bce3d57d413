import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Counts the orders of a customer, whose name is a query parameter.',
  needs:
    'a Google Cloud project with the BigQuery API, and either OAuth2 or a service account with the roles “BigQuery Job User” and “BigQuery Data Viewer”',
  notes:
    'BigQuery charges for the data that a query reads: “Maximum Bytes Billed” limits it. Put values of items into query parameters, never into the text of the query. Whole numbers that JavaScript cannot represent, and numbers of type NUMERIC, stay text. Statements without rows return the number of changed rows.',
  parameters: {
    projectId: { __rl: true, mode: 'id', value: 'acme' },
    sqlQuery: 'SELECT name, COUNT(*) AS orders FROM shop.orders WHERE name = @name GROUP BY name',
    options: { queryParameters: { namedParameters: [{ name: 'name', value: 'Ada' }] } },
  },
  inputs: [[{}]],
  outputs: [[{ name: 'Ada', orders: 2 }]],
};
