import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The readings of all sensors, each delivered until its execution is sure to run.',
  needs: 'a message',
  parameters: { topics: 'sensors/+:1', options: { jsonParseBody: true } },
  outputs: [[{ message: { celsius: 21 }, topic: 'sensors/hall' }]],
};
