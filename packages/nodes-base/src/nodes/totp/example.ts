import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A one-time password, and the seconds for which it is still valid.',
  needs: 'a credential, and the time of day',
  parameters: { options: { digits: 8 } },
  inputs: [[{}]],
  outputs: [[{ token: '94287082', secondsRemaining: 1 }]],
};
