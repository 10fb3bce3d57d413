import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each reading goes to the topic of its sensor, and is retained for later subscribers.',
  needs: 'A broker',
  parameters: { topic: '={{ "sensors/" + $json.sensor }}', options: { qos: 1, retain: true } },
  inputs: [[{ sensor: 'hall', celsius: 21 }]],
  outputs: [[{ sensor: 'hall', celsius: 21 }]],
};
