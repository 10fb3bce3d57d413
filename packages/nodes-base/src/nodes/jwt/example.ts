import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The payload of a token is read; its signature is not checked.',
  needs: 'a credential',
  parameters: { operation: 'decode', token: '={{ $json.token }}' },
  inputs: [[{ token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl' }]],
  outputs: [[{ payload: { sub: 'ada' } }]],
};
