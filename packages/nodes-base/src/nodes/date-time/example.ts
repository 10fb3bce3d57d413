import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A date in another format.',
  parameters: { operation: 'formatDate', date: '={{ $json.at }}', format: 'custom', customFormat: "d LLLL yyyy 'at' HH:mm" },
  inputs: [[{ at: '2024-03-05T07:08:09Z' }]],
  outputs: [[{ formattedDate: '5 March 2024 at 07:08' }]],
};
