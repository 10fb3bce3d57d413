import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A message to two people; what comes out is what the server said.',
  needs: 'A credential of type `smtp`',
  parameters: {
    fromEmail: 'Shop <shop@example.com>',
    toEmail: 'ada@example.com, bob@example.com',
    subject: 'Your order',
    html: '<p>It is on its way.</p>',
  },
  inputs: [[{}]],
};
