import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each new row of a table.',
  needs: 'a row',
  parameters: { schema: 'public', tableName: 'orders', firesOn: 'INSERT', additionalFields: { channelName: 'new_orders' } },
  outputs: [[{ processId: 4711, channel: 'new_orders', payload: { id: 7, name: 'chair' } }]],
};
