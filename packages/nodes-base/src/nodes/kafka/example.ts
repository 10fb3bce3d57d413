import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each order goes to a topic, those of one customer to one partition.',
  needs: 'A cluster with the topic "orders"',
  parameters: { topic: 'orders', callKey: true, key: '={{ $json.customer }}' },
  inputs: [[{ customer: 'ann', order: 7 }]],
  outputs: [[{ topicName: 'orders', partition: 0, errorCode: 0, baseOffset: '0', logAppendTime: '-1' }]],
};
