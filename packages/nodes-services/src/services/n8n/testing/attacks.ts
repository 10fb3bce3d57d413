import { type Attacks, accepted, large } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  n8n: () => [
    {
      name: 'a large workflow',
      parameters: { operation: 'create', workflowObject: { name: 'A', nodes: large()['list'] ?? [], connections: {} } },
      answer: accepted,
    },
  ],
};
