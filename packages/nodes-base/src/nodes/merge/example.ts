import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Customers and their orders are joined by a field.',
  parameters: { mode: 'combine', fieldsToMatchString: 'customer' },
  inputs: [
    [
      { customer: 1, name: 'Ada' },
      { customer: 2, name: 'Tim' },
    ],
    [{ customer: 1, total: 10 }],
  ],
  outputs: [[{ customer: 1, name: 'Ada', total: 10 }]],
};
