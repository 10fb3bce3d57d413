import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The readings of all sensors, each redelivered until its execution is committed.',
  needs: 'a message',
  parameters: { topics: 'sensors/+:1', options: { jsonParseBody: true } },
  outputs: [[{ message: { celsius: 21 }, topic: 'sensors/hall' }]],
};
